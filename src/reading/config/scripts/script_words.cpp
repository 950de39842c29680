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

std::string_view bare_word(std::string_view word) {
  constexpr std::string_view around = "\"'()\\";
  const std::size_t first = word.find_first_not_of(around);
  if (first == std::string_view::npos) return "";
  word.remove_prefix(first);
  const auto ends_outside = [&] {  // a bracket that opens in the word ends in it
    return around.find(word.back()) != std::string_view::npos &&
           (word.back() != ')' || std::ranges::count(word, ')') > std::ranges::count(word, '('));
  };
  while (ends_outside()) word.remove_suffix(1);
  return word;
}

}  // namespace gate::config
