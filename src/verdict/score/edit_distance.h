// What two sequences have in common, by bit-parallel algorithms: 64 cells of the table at a time, memory
// linear in the sequences.
//
// The textbook fills a table: a cell holds what it costs to make the first i items of one sequence out of the
// first j of the other. Of `step` and `stop`:
//
//          s  t  o  p        A cell differs by at most 1 from the one above it. So a column is told by two
//       0  1  2  3  4        words of a bit a row: where it rises by 1 and where it falls. From above down
//    s  1  0  1  2  3        the column of `s` (1 0 1 2 3) falls once and rises three times; that of `t`
//    t  2  1  0  1  2        (2 1 0 1 2) falls twice and rises twice. `Column::advance` makes the next column
//    e  3  2  1  1  2        out of these two words and of a third one, the rows whose item is that of the
//    p  4  3  2  2  1        column, in some 15 operations for 64 rows: the carry of one addition does what
//                            goes down from row to row.
//
// More than 64 rows are blocks, one below the other. What a block needs of the one above is by how much the
// row between them rises from column to column: -1, 0 or 1 (`steps_`). No value is stored. The distance in
// the corner is what the last row begins with and the sum of its steps.
//
// A way through the table that leaves the diagonal by d columns costs d at least. So only a band around the
// diagonal is filled, which is four times as wide each time until what it says fits into it: sequences that
// differ little cost their length, and not its square.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gate::score {

using Items = std::span<const std::uint32_t>;

struct Distance {
  std::int64_t value = 0;
  bool is_exact = true;  // else it is what the best way within the limit costs, which is never less
};

// Keeps its buffers from one pair to the next. Items are numbers below `kinds`.
//
// Both take at most `most_steps` steps of 64 cells, some two seconds: enough for any two sequences of 170,000
// items, and for longer ones that differ little.
class SequenceComparison {
 public:
  static constexpr std::int64_t most_steps = 500'000'000;

  // Return how many items must be inserted, removed or replaced to make one of the other. Myers 1999, with
  // the blocks of Hyyrö 2003, in a band around the diagonal that is widened until it holds the way (Ukkonen
  // 1985).
  Distance distance(Items a, Items b, std::size_t kinds);

  // Return the length of their longest common subsequence (Hyyrö 2004); 0 beyond the limit, of what stands
  // between a common start and end.
  Distance common(Items a, Items b, std::size_t kinds);

 private:
  std::int64_t distance_in_band(Items a, Items b, std::int64_t band);
  std::uint64_t& mask_of(std::uint32_t item) { return masks_[item]; }
  void set_masks(Items block);
  void clear_masks(Items block);

  std::vector<std::uint64_t> masks_;  // of each kind: where it stands in the block
  std::vector<std::int8_t> steps_;  // of each item of the other: how the row below the last block rises there
};

}  // namespace gate::score
