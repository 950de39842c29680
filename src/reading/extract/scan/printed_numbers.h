// The numbers of a line that no format knows, and patterns for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/model/numbers/guessed_metric.h"

namespace gate::extract {

// A number that a line prints and that may be measured.
struct PrintedNumber {
  GuessedMetric guess;
  std::string name;  // as printed, `lm loss`; of a row of a table the head of its column; of a rate its unit
  std::string word;  // `2.31`
  std::string pattern;  // reads it out of lines like this one: has the group value
};

// How the line, or a column of a table, may tell the rank that printed it.
struct PrintedRank {
  std::string pattern;     // has the group rank; "" of a column
  std::size_t column = 0;  // of a row of a table
  bool is_named = false;   // it is called rank; `gpu 0` and `[0]` are ranks only if the whole log says so
};

// Return the ways in which the line may tell its rank, the likeliest first.
std::vector<PrintedRank> printed_ranks(std::string_view line, std::string_view header);

// Return the numbers of the line that have a name, or a unit of a rate or time, and can be read by a pattern
// that finds them in the line; those of a row of a table by its columns, which `header` names, and with its
// step, and with the rank if it is a column. Steps, epochs, totals, ranks and what stands in parentheses
// behind a number are left out. No two have the same metric.
std::vector<PrintedNumber> printed_numbers(std::string_view line, std::string_view header,
                                           const PrintedRank* rank = nullptr);

// Return the patterns that may read the step of the line, with the group step: the likeliest first.
std::vector<std::string> step_patterns(std::string_view line);

// Return the number's pattern with those of the step and the rank, either may be "", before or behind it, as
// the line has them; "" if that does not read all of them.
std::string with_places(const PrintedNumber& number, const std::string& step, const std::string& rank,
                        std::string_view line);

// Return the pattern behind the words, of letters, that stand before its match in the line; "" where there
// are none.
std::string anchored(const std::string& pattern, std::string_view line);

// Return what the pattern's group holds in the line; nothing where it does not match.
std::string_view group_in(const std::string& pattern, std::string_view line, const std::string& group);

}  // namespace gate::extract
