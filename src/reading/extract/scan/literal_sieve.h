// The first sieve of literal_scan.h: which bytes of a text may begin a window.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gate::extract {

inline constexpr std::size_t window_size = 4;
inline constexpr std::size_t bucket_count = 16;
inline constexpr std::size_t chunk_size = 64;  // bytes that one mask tells of

// The instructions that the sieve is made of.
enum class SievePath : std::uint8_t { avx512, avx2, neon, plain };

std::string_view to_string(SievePath path);

// Return the paths that this machine can go, the fastest first; plain is always one.
std::span<const SievePath> sieve_paths();

// A set of bytes: by their upper half a bit for each lower half.
using ByteSet = std::array<std::uint16_t, 16>;

void add(ByteSet& bytes, unsigned char byte);
void add(ByteSet& bytes, const ByteSet& more);

// Return what the path lets through where a bucket allows these bytes at a place. avx512 looks at a byte but
// for its highest bit, the other paths at its two halves, each on its own.
ByteSet let_through(SievePath path, const ByteSet& allowed);

// What a byte at each place of a window tells of the buckets that the window may be in.
class SieveTables {
 public:
  // Let through windows of the bucket that have one of these bytes at that place.
  void allow(std::size_t bucket, std::size_t place, const ByteSet& bytes);

  // A bit for each of eight buckets, by value of half a byte, or of a byte without its highest bit.
  using Half = std::array<std::uint8_t, 16>;
  using Whole = std::array<std::uint8_t, 128>;
  struct PlaceTables {
    alignas(64) std::array<Whole, 2> whole{};  // buckets 0..7, 8..15
    alignas(16) std::array<Half, 2> low{};
    alignas(16) std::array<Half, 2> high{};
  };

  const std::array<PlaceTables, window_size>& places() const { return places_; }

 private:
  std::array<PlaceTables, window_size> places_{};
};

// What is told of a chunk: a bit for each place where a window may begin, or a newline is; and how many.
// Without initial values, which would take longer to set than short texts to sieve.
struct ChunkMasks {
  std::uint64_t windows;
  std::uint64_t newlines;
  std::uint32_t window_count;
  std::uint32_t newline_count;
};

// Set the masks of that many chunks; three bytes behind them are read, too.
void sieve(const SieveTables& tables, SievePath path, const char* text, std::span<ChunkMasks> chunks);

}  // namespace gate::extract
