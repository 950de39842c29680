// What the ranks do together, through memory that they share.
//
// Make it before the ranks are forked. Every rank makes the same calls in the same order; a call returns when
// all ranks have made it. A rank that never comes leaves the others asleep, without CPU time, for ever: to
// notice that is the launcher's business, as it is with the libraries of accelerators.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <span>

namespace tinygpt {

class Collective {
 public:
  // For averages of up to `bytes` of values. Throws std::system_error.
  Collective(int ranks, std::size_t bytes);
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  ~Collective();

  int ranks() const { return ranks_; }

  // Wait until all ranks are here.
  void wait();

  // Replace the values by their mean over the ranks, the same bits on each: summed from rank 0 on, whoever
  // comes first. All ranks hand in equally many. Real is float or double.
  template <class Real>
  void average(int rank, std::span<Real> values);

  double average(int rank, double value);

 private:
  template <class Real>
  Real* slot(int index) const;
  template <class Real>
  void reduce_share(int rank, std::size_t count);

  int ranks_;
  std::size_t slot_bytes_;
  std::size_t mapped_bytes_;
  pthread_barrier_t* barrier_ = nullptr;
};

}  // namespace tinygpt
