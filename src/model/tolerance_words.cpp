#include "model/tolerance_words.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate {

namespace {

struct Spelling {
  std::string_view typed;
  WordKind kind;
  std::string_view text;
};

// Longer spellings come before those that they begin with.
constexpr std::array<Spelling, 24> spellings{{
    {"+/-", WordKind::sign, "±"},      {"+-", WordKind::sign, "±"},
    {"+−", WordKind::sign, "±"},       {"±", WordKind::sign, "±"},
    {"+", WordKind::sign, "+"},        {"＋", WordKind::sign, "+"},
    {"-", WordKind::sign, "-"},        {"−", WordKind::sign, "-"},
    {"－", WordKind::sign, "-"},       {"%", WordKind::percent, "%"},
    {"％", WordKind::percent, "%"},    {">=", WordKind::comparison, ">="},
    {"≥", WordKind::comparison, ">="}, {"<=", WordKind::comparison, "<="},
    {"≤", WordKind::comparison, "<="}, {"==", WordKind::comparison, "=="},
    {">", WordKind::other, ">"},       {"<", WordKind::other, "<"},
    {"=", WordKind::other, "="},       {",", WordKind::other, ","},
    {"&&", WordKind::other, "&&"},     {"||", WordKind::other, "||"},
    {"(", WordKind::other, "("},       {")", WordKind::other, ")"},
}};

constexpr std::array<std::string_view, 3> wide_blanks{"\u00A0", "\u3000", "\u2009"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::size_t length_of(std::string_view text, bool (*belongs)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
}

std::size_t blank_length(std::string_view text) {
  if (trim(text.substr(0, 1)).empty()) return 1;
  for (const std::string_view blank : wide_blanks)
    if (text.starts_with(blank)) return blank.size();
  return 0;
}

// Return the length of the number that the text begins with: digits and points, with an exponent if digits
// follow it.
std::size_t number_length(std::string_view text) {
  std::size_t length = length_of(text, [](char c) { return is_digit(c) || c == '.'; });
  if (length == 0 || length == text.size() || (text[length] != 'e' && text[length] != 'E')) return length;
  std::size_t power = length + 1;
  if (power < text.size() && (text[power] == '+' || text[power] == '-')) ++power;
  const std::size_t digits = length_of(text.substr(std::min(power, text.size())), is_digit);
  return digits == 0 ? length : power + digits;
}

std::size_t character_length(std::string_view text) {
  return 1 + length_of(text.substr(1), continues_character);
}

struct Piece {
  ToleranceWord word;
  std::size_t length = 0;
};

Piece next_piece(std::string_view text) {
  for (const Spelling& spelling : spellings)
    if (text.starts_with(spelling.typed))
      return {{spelling.kind, std::string(spelling.text), 0}, spelling.typed.size()};
  if (const std::size_t length = number_length(text); length > 0)
    return {{WordKind::number, std::string(text.substr(0, length)), 0}, length};
  if (const std::size_t length = length_of(text, is_letter); length > 0)
    return {{WordKind::name, to_lower(text.substr(0, length)), 0}, length};
  const std::size_t length = character_length(text);
  return {{WordKind::other, std::string(text.substr(0, length)), 0}, length};
}

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

}  // namespace

std::vector<ToleranceWord> tolerance_words(std::string_view text) {
  std::vector<ToleranceWord> words;
  std::size_t character = 1;
  while (!text.empty()) {
    std::size_t length = blank_length(text);
    if (length == 0) {
      Piece piece = next_piece(text);
      piece.word.character = character;
      length = piece.length;
      words.push_back(std::move(piece.word));
    }
    character += characters(text.substr(0, length));
    text.remove_prefix(length);
  }
  words.push_back({WordKind::end, "", character});
  return words;
}

}  // namespace gate
