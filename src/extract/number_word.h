// Words that frameworks print for numbers.
#pragma once

#include <optional>
#include <string_view>

#include "gate/model/series.h"

namespace gate::extract {

// Return the value of a whole word, or nothing if any of it is no number:
//   1.25E+00  -3  nan  -inf     as parse_value reads them
//   'X'  "X"                    quoted
//   7,282  1,234.5              thousands in threes
//   67.4K  67.4M  2G  1.5T      powers of a thousand
//   9.46GiB  9.46GiB(64.99%)    in MiB, likewise MiB and KiB; the part in parentheses is said of it, not part
//   of it 55%                         the number before the sign
std::optional<Value> parse_word(std::string_view word);

// Return the value multiplied by the factor, or nothing where that has too many digits. Non-finite values
// stay.
std::optional<Value> scaled(const Value& value, const Decimal& factor);

}  // namespace gate::extract
