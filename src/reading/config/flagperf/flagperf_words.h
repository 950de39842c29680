// Words of FlagPerf's files that become parts of paths, and words of commands.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gate::config {

constexpr std::string_view key_form = "model:framework[_version]:hardware:nodes:devices:repeat";

// Return the text in quotes, as messages show it.
std::string quoted_text(std::string_view text);

// Tell whether a folder or a file may be called so: letters, digits, `_`, `.` and `-`, at most 200, the first
// one neither `.` nor `-`.
bool is_path_word(std::string_view word);

// Tell whether a shell takes the text as the one word that it is, and no program as an option.
bool is_shell_plain(std::string_view text);

// Return the number that the digits are, of 1 to `most`.
std::optional<int> count_in(std::string_view word, int most);

}  // namespace gate::config
