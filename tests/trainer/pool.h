// The memory of the model: every tensor comes from here, so that what is printed is what was counted.
//
// Like the caching allocators of the accelerators' frameworks it takes segments of at least 2 MiB from the
// system, cuts blocks out of them, joins free neighbours again, and keeps what it has: `reserved` never
// falls. One thread only; every rank has its own.
#pragma once

#include <cstddef>
#include <map>

namespace tinygpt {

// Bytes. The maxima are those since the pool was made.
struct MemoryStatus {
  std::size_t allocated = 0;  // in blocks handed out, each rounded up to 512
  std::size_t max_allocated = 0;
  std::size_t reserved = 0;  // in segments taken from the system
  std::size_t max_reserved = 0;
};

class Pool {
 public:
  static constexpr std::size_t kAlignment = 512;
  static constexpr std::size_t kSegment = std::size_t{2} << 20;

  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  // Return a block of at least `bytes`, aligned to 512; its content is undefined. Even 0 bytes take a block.
  // Throws std::bad_alloc.
  void* allocate(std::size_t bytes);

  // Take back a block that allocate() returned and that is still out; nullptr is ignored.
  void release(void* block);

  const MemoryStatus& status() const { return status_; }

 private:
  struct Block {
    std::size_t size = 0;
    bool used = false;
    std::byte* segment = nullptr;  // where its segment begins; blocks join only within one
  };
  using Blocks = std::map<std::byte*, Block>;

  Blocks::iterator smallest_free(std::size_t size);
  Blocks::iterator add_segment(std::size_t size);
  void split(Blocks::iterator block, std::size_t size);
  void join_next(Blocks::iterator block);

  Blocks blocks_;                               // all, by address
  std::map<std::byte*, std::size_t> segments_;  // begin, size
  MemoryStatus status_;
};

}  // namespace tinygpt
