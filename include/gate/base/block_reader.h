// A large file read by several threads, and taken in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "gate/base/fs.h"

namespace gate {

struct BlockHands {
  // Called in any thread for each block of the file, for several at once, but one at a time for a slot.
  std::function<void(std::size_t slot, std::string_view block)> prepare;
  // Called in the caller's thread for each block in the order of the file, behind prepare() of that block.
  std::function<void(std::size_t slot, std::string_view block)> take;
};

inline constexpr std::size_t block_size = std::size_t{256} << 10;

// Return how many slots that many threads use, from 0 on: what prepare() finds has its place there.
constexpr std::size_t block_slots(std::size_t threads) { return 2 * threads; }

// Read a regular file from a byte on, in blocks of block_size and a shorter last one, with that many threads,
// the caller's among them. What is appended while it is read may be read or not. Fails as fs::read_blocks
// does; what stands before the place that cannot be read has been taken.
Status read_blocks_ahead(const fs::Path& path, std::uintmax_t from, std::size_t threads,
                         const BlockHands& hands);

}  // namespace gate
