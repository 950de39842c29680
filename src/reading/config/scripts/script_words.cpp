#include "config/scripts/script_words.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::config {

std::vector<std::string> words_of_line(std::string_view line) {
  std::string text(line);
  std::ranges::replace_if(
      text, [](char c) { return c == ';' || c == '&'; }, ' ');
  std::vector<std::string> out;
  for (const std::string_view word : split_words(text)) {
    if (word.starts_with('#')) break;
    out.emplace_back(word);
  }
  return out;
}

std::string_view without_quotes(std::string_view value) {
  const bool quoted = value.size() > 1 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0];
  return quoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace gate::config
