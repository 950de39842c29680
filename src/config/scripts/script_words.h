// The text of a shell script as words: read, and never run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate::config {

// Return the words of a line of the script, without comments; `;` and `&` end one.
std::vector<std::string> words_of_line(std::string_view line);

// Return the text without the quotes around it, if it has such.
std::string_view without_quotes(std::string_view value);

}  // namespace gate::config
