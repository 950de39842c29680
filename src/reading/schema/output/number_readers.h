// The readers of number files, and what they share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/numbers/output.h"

namespace gate::schema {

// The lengths of an array, the outermost first; none of a single number.
using Lengths = std::vector<std::size_t>;

// Return `2x3`; "" of a single number.
std::string shape_of(const Lengths& lengths);

// Return the number that the whole word is, or nothing: no number, or one beyond a double's range. nan, inf
// and infinity are numbers in any case.
std::optional<double> number_of_word(std::string_view word);

// Return the number of a word that names NaN or an infinity, or nothing.
std::optional<double> non_finite_of_word(std::string_view word);

// Return what the word is instead of a number, and what to do: `"1,000" is no number; ...`.
std::string why_no_number(std::string_view word);

// Return the first of `count` names, of which the first are given: `loss, acc and 3 more`.
std::string some_names(std::span<const std::string> names, std::size_t count);

// Return `; did you mean "X"?` or "", as did_you_mean() does, of the first of the names and of none that is
// long: they may be anything.
std::string suggestion(std::string_view name, std::span<const std::string> names);

// Return the error of what stands at the offset of the text.
Error error_at(std::string_view text, std::size_t offset, const std::string& file, std::string message);

// See read_numbers().
Result<Numbers> read_json_numbers(std::string_view text, std::string_view key, const std::string& file);
Result<Numbers> read_json_line_numbers(std::string_view text, std::string_view key, const std::string& file);
Result<Numbers> read_csv_numbers(std::string_view text, std::string_view key, const std::string& file);
Result<Numbers> read_npy_numbers(std::string_view bytes, std::string_view key, const std::string& file);

}  // namespace gate::schema
