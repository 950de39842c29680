// Where in a block of bytes any of a few hundred literals stands, at the speed of memory.
//
// A training log is mostly lines that say nothing to gate. Whether a line may say something is told by a
// literal that each pattern demands (`iteration`, `CUDA out of memory`), so the whole of reading a log fast
// is to find some 250 literals in one pass, and to touch nothing else. It goes in three sieves, each finer
// and dearer than the one before (the first is that of Teddy, by Langdale, in Intel's Hyperscan):
//
//   1. Of each literal a window of four bytes stands for it: one that is rare in a sample of the log, and
//      that as many literals as possible share, so that about a hundred windows do for all. The windows are
//      dealt into 16 buckets. For each of the four places of a window a table says of each byte in which
//      buckets a window has it there: a byte of eight buckets, twice. A SIMD instruction looks many bytes up
//      in such a table at once; and-ing the answers of the four places leaves a bit for each bucket that may
//      have a window there. That lets through what mixes the bytes of several windows, too.
//   2. The four bytes there, hashed, are looked up in a bitmap of 64 Ki bits: one load without a branch that
//      could be guessed wrongly.
//   3. What is left is compared with the literals of that hash, eight bytes at once.
//
// Newlines are counted in the same pass, because what is found must be told with its line.
//
// A literal shorter than four bytes is a window as long as it is; the places behind it let all bytes through,
// and the second sieve asks for its first two bytes. A literal that stands for a pattern that does not mind
// the case of letters is folded: the windows take both cases, and the hash does not see the bit that tells
// them apart.
//
// The first sieve exists four times (literal_sieve.cpp). AVX-512 has an instruction for tables of 128
// entries. AVX2, NEON and plain C++ have two tables of 16 for each place, for the two halves of a
// byte, which lets through what mixes halves as well: some bytes in a hundred. Everything else exists once.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "extract/scan/literal_sieve.h"
#include "extract/scan/literal_windows.h"
#include "gate/extract/scan_result.h"

namespace gate::extract {

class LiteralScan {
 public:
  // `sample` looks like the text that will be searched: it decides how fast that is, never what is found.
  LiteralScan(std::vector<Literal> literals, std::string_view sample, SievePath path = sieve_paths().front());

  using OnLine = std::function<void(const FoundLine&, const LiteralHits&)>;

  // Call `on_line` for each line of the text in which a literal stands, in order. Returns how many newlines
  // the text has.
  std::int64_t find_lines(std::string_view text, const OnLine& on_line) const;

  // Return the readers of all literals that stand in the text.
  ReaderMask readers_of(std::string_view text) const;

  // Set who reads the text, which is a line, and where the literals stand.
  void find(std::string_view text, LiteralHits& hits) const;

 private:
  static constexpr std::size_t hash_bits = 16;
  static constexpr std::size_t slot_bits = 12;
  // What the first two sieves let through of a few chunks.
  struct ChunkBatch {
    static constexpr std::size_t size = 64;
    std::array<ChunkMasks, size> chunks;
    std::size_t chunk_count = 0;
    std::array<std::uint16_t, size * chunk_size + 2> places;  // from the batch's first byte on, rising
    std::size_t place_count = 0;
  };

  // A literal as it is compared where its window was found.
  struct LiteralEntry {
    std::uint64_t bytes = 0;  // its first eight, or all, as far as they matter
    std::uint64_t mask = 0;   // the bits that do
    std::size_t literal = 0;
    std::size_t offset = 0;  // of the window
  };

  void add_short_begin(std::string_view literal);
  LiteralEntry entry_of(const LiteralWindow& window) const;
  void index(std::span<const LiteralWindow> windows);
  void sieve_at(std::string_view text, std::size_t at, ChunkBatch& batch) const;
  void keep_hashed(std::string_view text, std::size_t at, ChunkBatch& batch) const;
  bool stands_at(const LiteralEntry& entry, std::string_view text, std::size_t at) const;

  // Call on_entry(entry) for each literal that has its window there.
  template <class OnEntry>
  void find_at(std::string_view text, std::size_t at, const OnEntry& on_entry) const;
  void add_hit(const LiteralEntry& entry, std::size_t at, LiteralHits& hits) const;

  std::vector<Literal> literals_;
  SieveTables tables_;
  SievePath path_;
  std::bitset<std::size_t{1} << hash_bits> hashes_;                       // of windows
  std::array<std::uint16_t, (std::size_t{1} << slot_bits) + 1> slots_{};  // where in entries_ each begins
  std::vector<LiteralEntry> entries_;                                     // by slot
  std::bitset<std::size_t{1} << 16U> short_begins_;                       // their first two bytes
  std::vector<LiteralEntry> short_entries_;
};

}  // namespace gate::extract
