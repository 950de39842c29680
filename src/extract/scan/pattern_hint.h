// A pattern for lines that no format knows.
#pragma once

#include <re2/re2.h>

#include <optional>
#include <string>
#include <string_view>

namespace gate::extract {

struct PatternHint {
  std::string metric;   // `lm_loss` where the value is a loss, else its printed name; `value` without one
  std::string pattern;  // has the group value, and step where the line prints one

  bool has_step() const;
};

// Return a pattern that reads a loss, else another number, and the step out of lines like this one; nothing
// where it has no number with a name and is no row of a table. `header` is the line of words that stands
// above a table; "" where there is none.
std::optional<PatternHint> hint_for(std::string_view line, std::string_view header);

// Tell whether the pattern's group `value` holds a number in this line.
bool finds_number(const RE2& pattern, std::string_view line);

// Tell whether the line holds nothing but numbers between blanks, bars, commas and semicolons, two at least.
bool is_row(std::string_view line);

// Tell whether the line holds two or more words between them, none of which is a number.
bool is_header(std::string_view line);

}  // namespace gate::extract
