#include "config/toml_depth.h"

#include <algorithm>
#include <array>

namespace gate::config {

namespace {

constexpr int most_dots = 16;
constexpr int most_brackets = 32;
constexpr std::array<std::string_view, 4> quotes{"\"\"\"", "'''", "\"", "'"};

std::string_view opening_quote(std::string_view text) {
  for (const std::string_view quote : quotes)
    if (text.starts_with(quote)) return quote;
  return {};
}

// Return the length of the quoted text at the front. One that is not closed ends with its line, or with the
// file.
std::size_t quoted_length(std::string_view text, std::string_view quote) {
  std::size_t i = quote.size();
  for (; i < text.size(); ++i) {
    if (text.substr(i).starts_with(quote)) return i + quote.size();
    if (quote.size() == 1 && text[i] == '\n') return i;
    if (quote[0] == '"' && text[i] == '\\') ++i;
  }
  return text.size();
}

struct Depth {
  int dots = 0;      // of the key being read
  int brackets = 0;  // open ones

  void see(char c) {
    if (c == '.') ++dots;
    if (c == '=' || c == ',' || c == '\n' || c == '{' || c == '[') dots = 0;
    if (c == '{' || c == '[') ++brackets;
    if ((c == '}' || c == ']') && brackets > 0) --brackets;
  }
  bool too_deep() const { return dots > most_dots || brackets > most_brackets; }
};

}  // namespace

std::optional<int> too_deep(std::string_view toml) {
  Depth depth;
  int line = 1;
  for (std::size_t i = 0; i < toml.size(); ++i) {
    if (toml[i] == '#') i = std::min(toml.find('\n', i), toml.size() - 1);
    if (const std::string_view quote = opening_quote(toml.substr(i)); !quote.empty()) {
      const std::size_t length = quoted_length(toml.substr(i), quote);
      for (const char c : toml.substr(i, length)) line += c == '\n' ? 1 : 0;
      i += length - 1;
      continue;
    }
    depth.see(toml[i]);
    if (depth.too_deep()) return line;
    if (toml[i] == '\n') ++line;
  }
  return std::nullopt;
}

}  // namespace gate::config
