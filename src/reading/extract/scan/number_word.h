// Words that frameworks print for numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gate/model/numbers/series.h"

namespace gate::extract {

// A longer word is no number.
inline constexpr std::size_t longest_word = 64;

// What a single comma between digits is: of who knows what, or what parts thousands.
enum class Thousands : std::uint8_t { plain, expected };

// Return the value of a whole word, or nothing if any of it is no number:
//   1.25E+00  -3  nan  -inf     as parse_value reads them
//   'X'  "X"                    quoted
//   [44.3]  np.float64(44.3)    a list of one, and a number as NumPy 2 writes it
//   tensor(44.3, device='npu:0')  as PyTorch writes it
//   0x1.27p+1  ２.３１          as C's %a writes it, and in wide digits
//   1,234,567  1,234.5          thousands in threes; 7,282, which may be a decimal comma, if expected
//   67.4K  67.4M  2G  1.5T      powers of a thousand
//   9.46GiB  9.46GiB(64.99%)    in MiB, likewise MiB and KiB, and GB and MB, which are powers of 1024 in
//                               tools on torch; the part in parentheses is said of it, not part of it
//   55%  103ms                  the number before the sign
//   true  False  success        1 for yes, 0 for no; `aborted` is no
//   nan.0  -inf.                filled up to five characters by tqdm
//   2.31.  Infinity,            the marks of a sentence behind it; a comma only behind what is no finite
//   number 1.#INF  -1.#IND             as C of Windows writes what is not finite nan% what is not finite,
//   with a sign behind it
std::optional<Value> parse_word(std::string_view word, Thousands thousands = Thousands::plain);

// The same where yes and no are no numbers.
std::optional<Value> parse_number(std::string_view word, Thousands thousands = Thousands::plain);

// Tell whether a number begins the word: it may be one that was cut off, or that something else was written
// into. One with two signs is none.
bool begins_number(std::string_view word);

// Tell whether the word stands where there is no value: None, null, N/A, nil, --%; a point may stand behind
// it.
bool says_nothing(std::string_view word);

// Return the unit of what parse_word makes of a number with these letters behind it: MiB of `GiB` and the
// like, else the letters themselves.
std::string_view unit_read(std::string_view letters);

// Tell whether the word would be one number with thousands and another with a decimal comma: `7,282`.
bool has_two_readings(std::string_view word);

// Return the word without quotes around it.
std::string_view without_quotes(std::string_view word);

// Return factor / value to 15 digits, or nothing if the value is 0. Non-finite values stay.
std::optional<Value> reciprocal_of(const Value& value, const Decimal& factor);

// Return the value multiplied by the factor, or nothing if that has too many digits. Non-finite values
// stay.
std::optional<Value> scale(const Value& value, const Decimal& factor);

}  // namespace gate::extract
