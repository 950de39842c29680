#include "config/toml/toml_guard.h"

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

// Return the length of what closes the quoted text at the front: `"""a"""""` ends in two quotes of its own.
std::size_t closing_length(std::string_view text, std::string_view quote) {
  const std::size_t most = quote.size() == 3 ? 5 : 1;
  return std::min({text.find_first_not_of(quote[0]), text.size(), most});
}

// Return the length of the quoted text at the front. One that is not closed ends with its line, or with the
// file.
std::size_t quoted_length(std::string_view text, std::string_view quote) {
  std::size_t i = quote.size();
  for (; i < text.size(); ++i) {
    if (text.substr(i).starts_with(quote)) return i + closing_length(text.substr(i), quote);
    if (quote.size() == 1 && text[i] == '\n') return i;
    if (quote[0] == '"' && text[i] == '\\') ++i;
  }
  return text.size();
}

class Guard {
 public:
  Guard(std::string_view text, const std::string& file) : text_(text), at_{file, 1, 1} {}

  std::optional<Diagnostic> run() {
    while (i_ < text_.size() && !danger_) step();
    return danger_;
  }

 private:
  void step();
  void see(char c);
  void skip(std::size_t length);
  void take();
  void report(std::string message) { danger_ = {at_, std::move(message)}; }

  std::string_view text_;
  Position at_;
  std::size_t i_ = 0;
  int dots_ = 0;      // of the key being read
  int brackets_ = 0;  // open ones
  std::optional<Diagnostic> danger_;
};

void Guard::step() {
  const std::string_view rest = text_.substr(i_);
  if (rest[0] == '#') return skip(std::min(rest.find('\n'), rest.size()));
  const std::string_view quote = opening_quote(rest);
  if (!quote.empty()) return skip(quoted_length(rest, quote));
  if (static_cast<unsigned char>(rest[0]) >= 0x80)
    return report("a character that is not ASCII stands in quotes or in a comment");
  see(rest[0]);
  if (dots_ > most_dots || brackets_ > most_brackets) return report("the keys are nested too deeply");
  take();
}

void Guard::see(char c) {
  if (c == '.') ++dots_;
  if (c == '=' || c == ',' || c == '\n' || c == '{' || c == '[') dots_ = 0;
  if (c == '{' || c == '[') ++brackets_;
  if ((c == '}' || c == ']') && brackets_ > 0) --brackets_;
}

void Guard::skip(std::size_t length) {
  for (const std::size_t end = i_ + length; i_ < end;) take();
}

void Guard::take() {
  const bool ends_line = text_[i_++] == '\n';
  const bool inside = i_ < text_.size() && (static_cast<unsigned char>(text_[i_]) & 0xC0) == 0x80;
  if (ends_line) ++at_.line;
  at_.column = ends_line ? 1 : at_.column + (inside ? 0 : 1);
}

}  // namespace

std::optional<Diagnostic> find_danger(std::string_view toml, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (toml.starts_with(byte_order_mark)) toml.remove_prefix(byte_order_mark.size());
  return Guard(toml, file).run();
}

}  // namespace gate::config
