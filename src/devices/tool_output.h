// What the output of all tools has in common.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/tool_answer.h"

namespace gate::devices {

// Return what the tool printed. Fails where it did not end with 0, with its own words.
Result<std::string> output_of(const AskTool& ask, const std::vector<std::string>& words);

// A line of a tool's table: what stands under each column.
using Row = std::map<std::string, std::string>;

// Return what stands under the column; "" where there is no such.
std::string word_of(const Row& row, const std::string& column);

// Return the number that a word begins with, whatever unit stands behind it: `161.2`, `5000 MiB`. Nothing for
// `-`, `NA`, `[N/A]` and other words, and for what is not finite.
std::optional<double> quantity(std::string_view word);

}  // namespace gate::devices
