// Where in a block of bytes any of a few hundred literals stands, at the speed of memory.
//
// A training log is mostly lines that say nothing to gate. Whether a line may say something is told by a
// literal that each pattern demands (`iteration`, `CUDA out of memory`), so the whole of reading a log fast
// is to find some 250 literals in one pass, and to touch nothing else. It goes in three sieves, each finer
// and dearer than the one before (the first is that of Teddy, by Langdale, in Intel's Hyperscan):
//
//   1. Of each literal a window of four bytes stands for it: one that is rare in the log's first block, and
//      that as many literals as possible share, so that about a hundred windows do for all. The windows are
//      dealt into 16 buckets. For each of the four places of a window, and for the two halves of the byte
//      there, a table of 16 entries says in which buckets a window has such a half: a byte of eight buckets,
//      twice. A SIMD shuffle looks 16 or 32 bytes up in such a table at once; and-ing the eight answers
//      leaves a bit for each bucket that may have a window there. That costs about a cycle for two bytes and
//      lets through what mixes the halves of several windows, too: some bytes in a hundred.
//   2. The four bytes there, hashed, are looked up in a bitmap of 64 Ki bits: one load without a branch that
//      could be guessed wrongly.
//   3. What is left is compared with the literals of that hash.
//
// Newlines are counted in the same pass, because what is found must be told with its line.
//
// A literal shorter than four bytes is a window as long as it is; the places behind it let all bytes through,
// and the second sieve asks for its first byte. A literal that stands for a pattern that does not mind the
// case of letters is folded: the windows take both cases, and the hash does not see the bit that tells them
// apart.
//
// The first sieve exists four times, for AVX2, SSSE3, NEON and plain C++ (literal_sieve.cpp); what it lets
// through is the same, bit by bit. Everything else exists once.
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "extract/literal_sieve.h"
#include "extract/literal_windows.h"
#include "gate/extract/skim.h"

namespace gate::extract {

class LiteralScan {
 public:
  // `sample` looks like the text that will be searched: it decides how fast that is, never what is found.
  LiteralScan(std::vector<Literal> literals, std::string_view sample, SievePath path = sieve_paths().front());

  // Append each line of the text in which a literal stands, in order. Returns how many newlines the text has.
  std::int64_t find_lines(std::string_view text, std::vector<FoundLine>& lines) const;

  // Return the owners of all literals that stand in the text.
  Owners owners(std::string_view text) const;

 private:
  static constexpr std::size_t hash_bits = 16;
  static constexpr std::size_t slot_bits = 12;
  static constexpr std::size_t batch_size = 64;  // chunks

  // What the first two sieves let through of a few chunks.
  struct Batch {
    std::array<ChunkMasks, batch_size> chunks;
    std::size_t chunk_count = 0;
    std::array<std::uint16_t, batch_size * chunk_size + 4> places;  // from the batch's first byte on, rising
    std::size_t place_count = 0;
  };

  void index(std::span<const Window> windows);
  void sieve_at(std::string_view text, std::size_t at, Batch& batch) const;
  void keep_hashed(const char* bytes, Batch& batch) const;
  Owners owners_at(std::string_view text, std::size_t at) const;
  Owners owner_at(const Window& window, std::string_view text, std::size_t at) const;

  std::vector<Literal> literals_;
  SieveTables tables_;
  SievePath path_;
  std::bitset<std::size_t{1} << hash_bits> hashes_;                       // of windows
  std::array<std::uint16_t, (std::size_t{1} << slot_bits) + 1> slots_{};  // where in windows_ each begins
  std::vector<Window> windows_;                                           // by slot
  std::bitset<256> short_begins_;
  std::vector<Window> short_windows_;
};

}  // namespace gate::extract
