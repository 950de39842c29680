// What stands in every match of a pattern.
#pragma once

#include <string>
#include <vector>

namespace gate::extract {

// Return literals of which every text that the pattern matches holds at least one, with its ASCII letters in
// any case: as few and as long ones as are found. Nothing where the pattern demands none of two characters or
// more: `\d+`, `a|b`. Letters are small ones.
std::vector<std::string> required_literals(const std::string& pattern);

}  // namespace gate::extract
