#include "schema/json/json_tokens.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "gate/model/numbers/sample.h"

namespace gate::schema {

namespace {

constexpr std::string_view json_byte_order_mark = "\xEF\xBB\xBF";
constexpr std::array<std::string_view, 3> non_finite_words{"NaN", "Infinity", "-Infinity"};

constexpr bool is_json_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

constexpr bool ends_word(char c) { return is_json_blank(c) || c == ',' || c == ':' || c == ']' || c == '}'; }

// Return the word that stands there as a value, or "".
std::string_view non_finite_at(std::string_view text, std::size_t at) {
  if (at > 0 && !is_json_blank(text[at - 1]) &&
      std::string_view(",:[").find(text[at - 1]) == std::string_view::npos)
    return "";
  for (const std::string_view word : non_finite_words) {
    const std::size_t end = at + word.size();
    if (text.substr(at, word.size()) == word && (end == text.size() || ends_word(text[end]))) return word;
  }
  return "";
}

}  // namespace

TokenCursor::TokenCursor(std::string_view text, std::size_t from)
    : text_(text),
      at_(text.substr(from).starts_with(json_byte_order_mark) ? from + json_byte_order_mark.size() : from) {}

std::size_t TokenCursor::start() const {
  std::size_t at = at_;
  while (at < text_.size() && (is_json_blank(text_[at]) || text_[at] == ',' || text_[at] == ':')) ++at;
  return std::min(at, text_.size());
}

std::size_t TokenCursor::bracket() { return at_ = start() + 1, at_ - 1; }

std::size_t TokenCursor::text() {
  const std::size_t from = start();
  for (at_ = from + 1; at_ < text_.size() && text_[at_] != '"'; ++at_)
    if (text_[at_] == '\\') ++at_;
  ++at_;
  return from;
}

std::size_t TokenCursor::word() {
  const std::size_t from = start();
  at_ = from;
  while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
  return from;
}

bool TokenCursor::is_quoted() const {
  const std::size_t at = start();
  return at < text_.size() && text_[at] == '"';
}

std::string plain_message(std::string_view message) {
  if (const auto end = message.find("] "); end != std::string_view::npos) message.remove_prefix(end + 2);
  if (message.starts_with("parse error at "))
    message.remove_prefix(std::min(message.find(": ") + 2, message.size()));
  return printable(message);
}

std::string advice_on(std::string_view text, std::size_t offset) {
  if (trim(text.substr(offset)).empty()) return "; the file is cut off: fetch or write it again";
  for (const std::string_view line : split(text, '\n'))
    if (line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> "))
      return "; a merge conflict: keep one side, and remove the lines <<<<<<<, ======= and >>>>>>>";
  constexpr std::string_view around = " \t\r\n,:[]{}";
  const std::size_t from = text.substr(0, offset).find_last_of(around) + 1;  // npos + 1 is 0
  const auto value = parse_value(text.substr(from, text.find_first_of(around, from) - from));
  if (!value || value->is_finite()) return "";
  return "; JSON has no NaN or Infinity, which Python writes: write \"nan\"";
}

std::string quote_non_finite(std::string_view text) {
  constexpr auto absent = std::string_view::npos;
  if (text.find("NaN") == absent && text.find("Infinity") == absent) return "";
  std::string quoted(text);
  bool in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text && c == '\\') {
      ++at;
    } else if (c == '"') {
      in_text = !in_text;
    } else if (!in_text && (c == 'N' || c == 'I' || c == '-')) {
      const std::string_view word = non_finite_at(text, at);
      if (word.empty()) continue;
      quoted[at] = '"';
      at += word.size() - 1;
      quoted[at] = '"';
    }
  }
  return quoted;
}

}  // namespace gate::schema
