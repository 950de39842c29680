// chrF, as far as its tests ask for more than the scorer tells.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gate/score/text_score.h"
#include "score/hashed.h"
#include "score/tokens.h"

namespace gate::score {

// N-grams of one order, of characters or words: of the text, of the golden text, of both.
struct ChrfOrder {
  std::int64_t actual = 0, golden = 0, matching = 0;
};

// The orders of characters, and behind them those of words.
using ChrfCounts = std::vector<ChrfOrder>;

// Return the F score of the mean precision and the mean recall, over the orders of which both texts have
// n-grams. `with_epsilon`: the mean of the F scores of all orders instead, as in chrF++.py.
double chrf(const ChrfCounts& counts, double beta, bool with_epsilon);

// Counts n-grams of one line after the other.
class ChrfCounter {
 public:
  explicit ChrfCounter(const TextOptions& options);

  // Make `counts` those of the line beside a golden line.
  void count(std::string_view actual, std::string_view golden, ChrfCounts& counts);

  // Make `counts` those of a line beside itself; tell whether there are any.
  bool count_same(std::string_view line, ChrfCounts& counts);

 private:
  // A line without blanks, as code points; and its words, without the punctuation at one of their ends.
  struct Line {
    std::string valid, lower;
    std::vector<char32_t> characters;
    LineTokens words, parts;
    const char* end = nullptr;
  };

  void read(std::string_view text, Line& line);
  void match(std::size_t kinds, std::size_t split, std::size_t first, int orders, ChrfCounts& counts);

  int char_order_, word_order_;
  bool lowercase_;
  Line actual_, golden_;
  CodePointNumbers characters_;
  TokenNumbers words_;
  NgramCounts ngrams_;
  std::vector<std::uint32_t> numbers_;  // of the golden line, and behind them of the line
};

}  // namespace gate::score
