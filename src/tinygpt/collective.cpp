#include "tinygpt/collective.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <system_error>

namespace tinygpt {
namespace {

constexpr std::size_t kCacheLine = 64;

std::size_t whole_lines(std::size_t bytes) { return (bytes + kCacheLine - 1) / kCacheLine * kCacheLine; }

[[noreturn]] void fail(int error, const char* what) {
  throw std::system_error(error, std::generic_category(), what);
}

void init_shared(pthread_barrier_t* barrier, int ranks) {
  pthread_barrierattr_t attributes;
  pthread_barrierattr_init(&attributes);
  pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  const int error = pthread_barrier_init(barrier, &attributes, static_cast<unsigned>(ranks));
  pthread_barrierattr_destroy(&attributes);
  if (error != 0) fail(error, "barrier of the ranks");
}

}  // namespace

Collective::Collective(int ranks, std::size_t bytes)
    : ranks_(ranks),
      slot_bytes_(whole_lines(std::max(bytes, sizeof(double)))),
      mapped_bytes_(whole_lines(sizeof(pthread_barrier_t)) +
                    slot_bytes_ * static_cast<std::size_t>(ranks + 1)) {
  void* const memory =
      mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail(errno, "memory shared by the ranks");
  barrier_ = static_cast<pthread_barrier_t*>(memory);
  init_shared(barrier_, ranks);
}

// The barrier is not destroyed but unmapped: destroying waits for ranks inside, who may have died there.
Collective::~Collective() { munmap(barrier_, mapped_bytes_); }

void Collective::wait() {
  const int error = pthread_barrier_wait(barrier_);
  if (error != 0 && error != PTHREAD_BARRIER_SERIAL_THREAD) fail(error, "waiting for the other ranks");
}

// Slot 0 is the result, slot 1 + r that of rank r. The second wait separates this call from the next as well:
// whoever overwrites a slot then knows that all shares are reduced, and whoever overwrites the result has
// waited once more for those who still read it.
template <class Real>
void Collective::average(int rank, std::span<Real> values) {
  assert(values.size_bytes() <= slot_bytes_);
  std::copy(values.begin(), values.end(), slot<Real>(1 + rank));
  wait();
  reduce_share<Real>(rank, values.size());
  wait();
  std::copy_n(slot<Real>(0), values.size(), values.begin());
}

double Collective::average(int rank, double value) {
  average(rank, std::span(&value, 1));
  return value;
}

template <class Real>
Real* Collective::slot(int index) const {
  auto* const begin = reinterpret_cast<std::byte*>(barrier_) + whole_lines(sizeof(pthread_barrier_t));
  return reinterpret_cast<Real*>(begin + static_cast<std::size_t>(index) * slot_bytes_);
}

// Every rank reduces its own part of the values: [rank, rank + 1) / ranks.
template <class Real>
void Collective::reduce_share(int rank, std::size_t count) {
  const auto r = static_cast<std::size_t>(rank), n = static_cast<std::size_t>(ranks_);
  for (std::size_t i = count * r / n; i < count * (r + 1) / n; ++i) {
    Real sum = slot<Real>(1)[i];
    for (int other = 1; other < ranks_; ++other) sum += slot<Real>(1 + other)[i];
    slot<Real>(0)[i] = sum / static_cast<Real>(ranks_);
  }
}

template void Collective::average<float>(int, std::span<float>);
template void Collective::average<double>(int, std::span<double>);

}  // namespace tinygpt
