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
enum class SievePath : std::uint8_t { avx2, ssse3, neon, plain };

std::string_view to_string(SievePath path);

// Return the paths that this machine can go, the fastest first; plain is always one.
std::span<const SievePath> sieve_paths();

// What a byte at each place of a window tells of the buckets that the window may be in.
class SieveTables {
 public:
  // Let through windows of the bucket that have, at that place, a byte with one of these lower and one of
  // these upper halves: a bit for each of the 16 values.
  void add(std::size_t bucket, std::size_t place, std::uint16_t low, std::uint16_t high);

  using Half = std::array<std::uint8_t, 16>;  // by value of the half byte: a bit for each of eight buckets
  struct Place {
    alignas(16) std::array<Half, 2> low{};  // buckets 0..7, 8..15
    alignas(16) std::array<Half, 2> high{};
  };

  const std::array<Place, window_size>& places() const { return places_; }

 private:
  std::array<Place, window_size> places_{};
};

// What is told of a chunk: a bit for each place where a window may begin, or a newline is; and how many.
struct ChunkMasks {
  std::uint64_t windows = 0;
  std::uint64_t newlines = 0;
  std::uint32_t window_count = 0;
  std::uint32_t newline_count = 0;
};

// Set the masks of that many chunks; three bytes behind them are read, too.
void sieve(const SieveTables& tables, SievePath path, const char* text, std::span<ChunkMasks> chunks);

}  // namespace gate::extract
