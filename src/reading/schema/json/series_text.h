// Texts of files that hold several things: the samples of a series, joined notes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gate/base/result.h"

namespace gate::schema {

// Return the parts of the text between the separators; none behind the last one where the text ends in it.
std::vector<std::string_view> parts_of(std::string_view text, std::string_view separator);

// Return the numbers of `1-3, 7, 9-15`, which must rise and be `count` in all. The message of the error has
// no place.
Result<std::vector<std::int64_t>> parse_ranges(std::string_view text, std::size_t count);

}  // namespace gate::schema
