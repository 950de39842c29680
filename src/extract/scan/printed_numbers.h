// The numbers of a line that no format knows, and patterns for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/model/guessed_metric.h"

namespace gate::extract {

// A number that a line prints and that may be measured.
struct PrintedNumber {
  GuessedMetric guess;
  std::string name;  // as printed, `lm loss`; of a row of a table the head of its column; of a rate its unit
  std::string word;  // `2.31`
  std::string pattern;  // reads it out of lines like this one: has the group value
};

// Return the numbers of the line that have a name, or a unit of a rate or time, and can be read by a pattern
// that finds them in the line; those of a row of a table by its columns, which `header` names, and with its
// step. Steps, epochs, totals and what stands in parentheses behind a number are left out. No two have the
// same metric.
std::vector<PrintedNumber> printed_numbers(std::string_view line, std::string_view header);

// Return the patterns that may read the step of the line, with the group step: the likeliest first.
std::vector<std::string> step_patterns(std::string_view line);

// Return the number's pattern with that of the step before or behind it, as the line has them; "" where
// neither reads both.
std::string with_step(const PrintedNumber& number, const std::string& step, std::string_view line);

// Return the pattern behind the words, of letters, that stand before its match in the line; "" where there
// are none.
std::string anchored(const std::string& pattern, std::string_view line);

// Return what the pattern's group holds in the line; nothing where it does not match.
std::string_view group_in(const std::string& pattern, std::string_view line, const std::string& group);

}  // namespace gate::extract
