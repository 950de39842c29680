#include "trainer/collective.h"

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

Collective::Collective(int ranks, std::size_t bytes, const Nodes* nodes)
    : nodes_(nodes),
      ranks_(ranks),
      slot_bytes_(whole_lines(std::max(bytes, sizeof(double)))),
      mapped_bytes_(whole_lines(sizeof(pthread_barrier_t)) +
                    slot_bytes_ * static_cast<std::size_t>(kept_ranks() + 1)) {
  void* const memory =
      mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail(errno, "memory shared by the ranks");
  barrier_ = static_cast<pthread_barrier_t*>(memory);
  init_shared(barrier_, ranks);
}

// The barrier is not destroyed but unmapped: destroying waits for ranks inside, who may have died there.
Collective::~Collective() { munmap(barrier_, mapped_bytes_); }

void Collective::wait() {
  const bool speaks = meet_here();
  if (nodes_ == nullptr) return;
  if (speaks) nodes_->meet();
  meet_here();
}

// Return true to one of the ranks of this node.
bool Collective::meet_here() {
  const int error = pthread_barrier_wait(barrier_);
  if (error != 0 && error != PTHREAD_BARRIER_SERIAL_THREAD) fail(error, "waiting for the other ranks");
  return error == PTHREAD_BARRIER_SERIAL_THREAD;
}

// Slot 0 is the result, those behind it the ranks'. The meeting after the sum separates this call from the
// next as well: whoever overwrites a slot then knows that all shares are reduced, and whoever overwrites the
// result has met once more those who still read it.
template <class Real>
void Collective::average(int rank, std::span<Real> values) {
  assert(values.size_bytes() <= slot_bytes_);
  std::copy(values.begin(), values.end(), slot<Real>(1 + rank - first_kept()));
  if (meet_here() && nodes_ != nullptr) gather(values.size_bytes());
  if (nodes_ != nullptr) meet_here();
  if (sums()) reduce_share<Real>(rank, values.size());
  if (meet_here() && nodes_ != nullptr) scatter(values.size_bytes());
  if (nodes_ != nullptr) meet_here();
  std::copy_n(slot<Real>(0), values.size(), values.begin());
}

double Collective::average(int rank, double value) {
  average(rank, std::span(&value, 1));
  return value;
}

// Nobody reads the result of the call before any more when rank 0 overwrites it, and an average does so only
// after it has met all who read this one.
void Collective::broadcast(int rank, std::span<std::byte> bytes) {
  assert(bytes.size() <= slot_bytes_);
  meet_here();
  if (rank == 0) std::copy(bytes.begin(), bytes.end(), place(0));
  if (meet_here() && nodes_ != nullptr) scatter(bytes.size());
  if (nodes_ != nullptr) meet_here();
  std::copy_n(place(0), bytes.size(), bytes.begin());
}

// Node 0 takes the values of all others' ranks.
void Collective::gather(std::size_t bytes) const {
  for (int rank = own_node() * ranks_; !sums() && rank < (own_node() + 1) * ranks_; ++rank)
    nodes_->send(0, values_of(rank, bytes));
  for (int rank = ranks_; sums() && rank < all_ranks(); ++rank)
    nodes_->receive(rank / ranks_, values_of(rank, bytes));
}

void Collective::scatter(std::size_t bytes) const {
  if (!sums()) nodes_->receive(0, result(bytes));
  for (int node = 1; sums() && node < node_count(); ++node) nodes_->send(node, result(bytes));
}

std::byte* Collective::place(int index) const {
  auto* const begin = reinterpret_cast<std::byte*>(barrier_) + whole_lines(sizeof(pthread_barrier_t));
  return begin + static_cast<std::size_t>(index) * slot_bytes_;
}

std::span<std::byte> Collective::values_of(int rank, std::size_t bytes) const {
  return {place(1 + rank - first_kept()), bytes};
}

template <class Real>
Real* Collective::slot(int index) const {
  return reinterpret_cast<Real*>(place(index));
}

// Every rank of the node that sums, of which this is the first, reduces its own part of the values:
// [rank, rank + 1) / ranks.
template <class Real>
void Collective::reduce_share(int rank, std::size_t count) {
  const auto r = static_cast<std::size_t>(rank), n = static_cast<std::size_t>(ranks_);
  for (std::size_t i = count * r / n; i < count * (r + 1) / n; ++i) {
    Real sum = slot<Real>(1)[i];
    for (int other = 1; other < all_ranks(); ++other) sum += slot<Real>(1 + other)[i];
    slot<Real>(0)[i] = sum / static_cast<Real>(all_ranks());
  }
}

template void Collective::average<float>(int, std::span<float>);
template void Collective::average<double>(int, std::span<double>);

}  // namespace tinygpt
