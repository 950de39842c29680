#include "trainer/pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <limits>
#include <new>

namespace tinygpt {
namespace {

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  if (bytes > std::numeric_limits<std::size_t>::max() - unit) throw std::bad_alloc();
  return (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit;
}

}  // namespace

Pool::~Pool() {
  for (const auto& [begin, size] : segments_) munmap(begin, size);
}

void* Pool::allocate(std::size_t bytes) {
  const std::size_t size = rounded_up(bytes, kAlignment);
  auto block = smallest_free(size);
  if (block == blocks_.end()) block = add_segment(size);
  split(block, size);
  block->second.used = true;
  status_.allocated += size;
  status_.max_allocated = std::max(status_.max_allocated, status_.allocated);
  return block->first;
}

void Pool::release(void* block) {
  if (block == nullptr) return;
  const auto found = blocks_.find(static_cast<std::byte*>(block));
  assert(found != blocks_.end() && found->second.used);
  status_.allocated -= found->second.size;
  found->second.used = false;
  join_next(found);
  if (found != blocks_.begin()) join_next(std::prev(found));
}

Pool::Blocks::iterator Pool::smallest_free(std::size_t size) {
  auto best = blocks_.end();
  for (auto it = blocks_.begin(); it != blocks_.end(); ++it) {
    const Block& block = it->second;
    if (block.used || block.size < size) continue;
    if (best == blocks_.end() || block.size < best->second.size) best = it;
  }
  return best;
}

Pool::Blocks::iterator Pool::add_segment(std::size_t size) {
  const std::size_t whole = rounded_up(size, kSegment);
  void* const memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* const begin = static_cast<std::byte*>(memory);
  segments_.emplace(begin, whole);
  status_.reserved += whole;
  status_.max_reserved = std::max(status_.max_reserved, status_.reserved);
  return blocks_.emplace(begin, Block{whole, false, begin}).first;
}

void Pool::split(Blocks::iterator block, std::size_t size) {
  const std::size_t rest = block->second.size - size;
  if (rest == 0) return;
  block->second.size = size;
  blocks_.emplace(block->first + size, Block{rest, false, block->second.segment});
}

// Join a free block with the free block of its segment that follows it, if there is one.
void Pool::join_next(Blocks::iterator block) {
  const auto next = std::next(block);
  if (block->second.used || next == blocks_.end() || next->second.used) return;
  if (next->second.segment != block->second.segment) return;
  block->second.size += next->second.size;
  blocks_.erase(next);
}

}  // namespace tinygpt
