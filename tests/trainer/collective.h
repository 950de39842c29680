// What the ranks do together: those of a node through memory that they share, those of several nodes through
// node 0, which sums for all. The order of the sum is the same, and so are its bits.
//
// Make it before the ranks are forked. Every rank makes the same calls in the same order; a call returns when
// all ranks have made it. A rank that never comes leaves the others asleep, without CPU time, for ever: to
// notice that is the launcher's business, as it is with the libraries of accelerators. Ranks are counted over
// all nodes, those of node 0 first.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <span>

#include "trainer/nodes.h"

namespace tinygpt {

class Collective {
 public:
  // For averages and broadcasts of up to `bytes` of values by so many ranks of this node; without nodes it is
  // the only one. The nodes outlive the collective. Throws std::system_error.
  Collective(int ranks, std::size_t bytes, const Nodes* nodes = nullptr);
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  ~Collective();

  // Wait until all ranks are here.
  void wait();

  // Replace the values by their mean over the ranks, the same bits on each: summed from rank 0 on, whoever
  // comes first. All ranks hand in equally many. Real is float or double.
  template <class Real>
  void average(int rank, std::span<Real> values);

  double average(int rank, double value);

  // Replace the bytes by those of rank 0. All ranks hand in equally many.
  void broadcast(int rank, std::span<std::byte> bytes);

 private:
  bool meet_here();
  bool sums() const { return nodes_ == nullptr || nodes_->own() == 0; }
  int node_count() const { return nodes_ == nullptr ? 1 : nodes_->count(); }
  int own_node() const { return nodes_ == nullptr ? 0 : nodes_->own(); }
  int all_ranks() const { return node_count() * ranks_; }
  int kept_ranks() const { return sums() ? all_ranks() : ranks_; }
  int first_kept() const { return sums() ? 0 : own_node() * ranks_; }

  void gather(std::size_t bytes) const;
  void scatter(std::size_t bytes) const;
  std::byte* place(int index) const;
  std::span<std::byte> values_of(int rank, std::size_t bytes) const;
  std::span<std::byte> result(std::size_t bytes) const { return {place(0), bytes}; }
  template <class Real>
  Real* slot(int index) const;
  template <class Real>
  void reduce_share(int rank, std::size_t count);

  const Nodes* nodes_;
  int ranks_;  // of this node
  std::size_t slot_bytes_;
  std::size_t mapped_bytes_;
  pthread_barrier_t* barrier_ = nullptr;
};

}  // namespace tinygpt
