#include "extract/records/field_scanner.h"

#include <array>

namespace gate::extract {

namespace {

// What a byte may be.
enum Kind : std::uint8_t { letter = 1, digit = 2, sign = 4, blank = 8, comma = 16, bar = 32, bracket = 64 };

constexpr std::uint8_t in_word = letter | digit;         // \w
constexpr std::uint8_t in_name = letter | digit | sign;  // [\w()/%.-]

constexpr void mark(std::array<std::uint8_t, 256>& kinds, std::string_view bytes, std::uint8_t kind) {
  for (const char c : bytes) kinds[static_cast<unsigned char>(c)] = kind;
}

constexpr std::array<std::uint8_t, 256> make_kinds() {
  std::array<std::uint8_t, 256> kinds{};
  mark(kinds, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", letter);
  mark(kinds, "0123456789", digit);
  mark(kinds, "()/%.-", sign);
  mark(kinds, "\t\n\f\r ", blank);
  mark(kinds, ",", comma);
  mark(kinds, "|", bar);
  mark(kinds, "[", bracket);
  return kinds;
}

constexpr std::array<std::uint8_t, 256> kinds_of_bytes = make_kinds();

}  // namespace

struct FieldScanner::Style {
  std::uint8_t begins = letter;       // what a name begins with
  std::uint8_t first_word = in_name;  // what its first word goes on with
  bool more_words = false;
  bool blank_before_mark = true;
  std::string_view marks = ":";
  bool one_blank_behind = false;
  std::uint8_t word_ends = blank;
};

const FieldScanner::Style& FieldScanner::style_of(FieldStyle style) {
  static constexpr std::array<Style, 5> styles{
      Style{.first_word = in_word, .more_words = true},
      Style{.blank_before_mark = false, .word_ends = blank | comma},
      Style{.marks = "=", .one_blank_behind = true, .word_ends = blank | comma | bar},
      Style{.begins = letter | bracket, .first_word = in_word, .more_words = true, .marks = ":="},
      Style{.more_words = true, .blank_before_mark = false, .word_ends = blank | bar},
  };
  return styles.at(static_cast<std::size_t>(style));
}

FieldScanner::FieldScanner(FieldStyle style, std::string_view text) : style_(&style_of(style)), text_(text) {}

bool FieldScanner::is(std::size_t at, std::uint8_t kinds) const {
  return at < text_.size() && (kinds_of_bytes[static_cast<unsigned char>(text_[at])] & kinds) != 0;
}

std::size_t FieldScanner::run(std::size_t at, std::uint8_t kinds) const {
  while (is(at, kinds)) ++at;
  return at;
}

std::optional<PrintedField> FieldScanner::next() {
  while (find_name()) {
    const std::size_t begin = at_;
    if (!skip_bracket()) continue;
    skip_words();
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (skip_mark()) return PrintedField{name, take_word()};
  }
  return std::nullopt;
}

// Go to where a name may begin.
bool FieldScanner::find_name() {
  while (at_ < text_.size() && !is(at_, style_->begins)) ++at_;
  return at_ < text_.size();
}

// Go behind `[x]-`, if it stands there, to the letter that must follow it.
bool FieldScanner::skip_bracket() {
  if (text_[at_] != '[') return true;
  const std::size_t end = run(++at_, in_word);
  if (end == at_ || !has(end, ']') || !has(end + 1, '-') || !is(end + 2, letter)) return false;
  at_ = end + 2;
  return true;
}

void FieldScanner::skip_words() {
  at_ = run(at_, style_->first_word);
  while (style_->more_words && has(at_, ' ') && is(at_ + 1, in_name)) at_ = run(at_ + 1, in_name);
}

bool FieldScanner::skip_mark() {
  const std::size_t at = at_ + (style_->blank_before_mark && has(at_, ' ') ? 1 : 0);
  if (at >= text_.size() || style_->marks.find(text_[at]) == std::string_view::npos) return false;
  at_ = at + 1;
  return true;
}

std::string_view FieldScanner::take_word() {
  if (style_->one_blank_behind)
    at_ += has(at_, ' ') ? 1 : 0;
  else
    while (has(at_, ' ')) ++at_;
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is(at_, style_->word_ends)) ++at_;
  return text_.substr(begin, at_ - begin);
}

}  // namespace gate::extract
