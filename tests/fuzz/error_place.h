// The property of an error about a file.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "gate/base/text.h"

namespace gate::fuzz {

// Tell whether each line of the message begins with the file's name, names no line that the file has not, and
// has nothing in it that a terminal would obey.
inline bool names_a_place(std::string_view message, std::string_view file, std::string_view text) {
  const auto most = std::ranges::count(text, '\n') + 1;
  for (const std::string_view line : split(message, '\n')) {
    const std::string head = std::string(file) + ":";
    if (!line.starts_with(head) || printable(line, line.size()) != line) return false;
    const std::string_view rest = line.substr(head.size());
    const auto number = parse_integer(rest.substr(0, rest.find(':')));
    if (number && (*number < 1 || *number > most)) return false;
  }
  return true;
}

}  // namespace gate::fuzz
