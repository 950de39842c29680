// The edits of translation edit rate: Snover and others 2006, with the limits of sacreBLEU.
//
// An edit distance counts each word of a phrase at another place twice, as removed here and inserted there.
// TER counts the move of a phrase as one edit:
//
//     words    the loss rose again today      as they stand: `today` inserted and removed, 2 edits
//     golden   today the loss rose again      `today` moved to the front: 1 edit, and the rest is equal
//
// The best sequence of moves is more than anyone can compute, so moves are made greedily, one after the
// other, each the one that lowers the distance most, until none lowers it:
//
//   1. fill_table    distances of all beginnings, in a beam around the diagonal; by which edit each came
//   2. align         the way back through the table: which word each golden word is, and which are wrong
//   3. find_move     each run of up to 10 words that stands elsewhere among the golden words, is wrong there
//                    and here, and is not aligned with itself; to the places before, in and behind its target
//   4. distance_after   what the table would end with. Only rows of moved words are computed, and those
//                    behind them until one is the old row but for a constant: the rest would be, too
//
// Which of several equal moves is made decides the ones after it, and so the score: longest, then earliest,
// then earliest target, as sacreBLEU has it, whose numbers these have to be to the last digit.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "score/edit_distance.h"

namespace gate::score {

// Counts edits of one pair after the other, and keeps its buffers. Words are numbers.
class ShiftedEdits {
 public:
  // Sequences of more words are compared without shifts.
  static constexpr std::size_t most_words = 10'000;

  // Return how many words must be inserted, removed or replaced, and sequences of them moved, to make the
  // golden words of these: the greedy choice of moves that sacreBLEU makes, among 1,000 of up to 10 words by
  // up to 50.
  std::int64_t count(std::span<const std::uint32_t> words, std::span<const std::uint32_t> golden);

 private:
  enum class Edit : std::uint8_t { none, keep, replace, insert, remove };

  // Of the table of edit distances what lies in the beam. A row per word, a column per golden word.
  struct Row {
    std::int64_t begin = 0, end = 0;  // columns
    std::size_t place = 0;            // of the first of them
  };

  // Words [start, start + length) go in front of word `target` of those that are there before.
  struct Move {
    std::int64_t gain = 0, length = 0, start = 0, target = 0;
  };

  void set_beam();
  std::int64_t fill_table();
  void fill_row(const Row& above, const std::int32_t* values_above, const Row& row, std::int32_t* values,
                Edit* edits, std::uint32_t word) const;
  void align();
  Move find_move();
  void try_moves(std::int64_t start, std::int64_t golden_start, std::int64_t length, Move& best);
  bool has_error(const std::vector<std::int64_t>& errors, std::int64_t start, std::int64_t length) const;
  std::int64_t distance_after(const Move& move);
  void moved_words(const Move& move, std::int64_t begin, std::int64_t end,
                   std::vector<std::uint32_t>& out) const;

  std::vector<std::uint32_t> words_, moved_;
  std::span<const std::uint32_t> golden_;
  std::vector<Row> rows_;
  std::vector<std::int32_t> values_;
  std::vector<Edit> edits_;
  std::array<std::vector<std::int32_t>, 2> scratch_;
  std::vector<std::int64_t> aligned_;  // of each golden word: the word that it is, or stands behind
  std::vector<std::int64_t> errors_, golden_errors_;  // how many of the words before are wrong
  std::int64_t distance_ = 0, checked_ = 0;
};

}  // namespace gate::score
