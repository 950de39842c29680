#include "schema/performance/cell_text.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::schema {

namespace {

constexpr std::string_view open_bracket = "【", close_bracket = "】";
constexpr std::size_t group_digits = 3;

// Return the length of the blank at the start of the text: 0 where there is none. Control characters are
// blanks.
std::size_t blank_length(std::string_view text) {
  constexpr std::array<std::string_view, 2> wide{"\xC2\xA0", "\xE3\x80\x80"};
  if (static_cast<unsigned char>(text[0]) <= ' ' || text[0] == '\x7F') return 1;
  const auto* found = std::ranges::find_if(wide, [&](std::string_view one) { return text.starts_with(one); });
  return found == wide.end() ? 0 : found->size();
}

// Return the digits of `1,234,567.8` without the commas; the text where they are not in threes.
std::string without_commas(std::string_view text) {
  const std::string_view whole = text.substr(0, text.find('.'));
  const auto groups = split(whole, ',');
  const auto is_group = [](std::string_view group) {
    return group.size() == group_digits && std::ranges::all_of(group, is_digit);
  };
  const bool is_grouped = !groups[0].empty() && groups[0].size() <= group_digits &&
                          std::ranges::all_of(groups[0], is_digit) &&
                          std::all_of(groups.begin() + 1, groups.end(), is_group);
  std::string digits(text);
  if (is_grouped) std::erase(digits, ',');
  return digits;
}

}  // namespace

void CellText::add(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size() && !is_cut_;) {
    if (const std::size_t blank = blank_length(bytes.substr(at)); blank > 0) {
      is_blank_open_ = true;
      at += blank;
      continue;
    }
    if (is_blank_open_ && !text_.empty()) text_ += ' ';
    is_blank_open_ = false;
    text_ += bytes[at++];
    is_cut_ = text_.size() > most_cell_bytes;
  }
}

std::string CellText::text() const { return printable(text_, 4 * most_cell_bytes); }

std::string cell_text(std::string_view bytes) {
  CellText text;
  text.add(bytes);
  return text.text();
}

std::string without_brackets(std::string_view text) {
  text = trim(text);
  if (!text.starts_with(open_bracket) || !text.ends_with(close_bracket)) return std::string(text);
  std::string inner(text.substr(open_bracket.size(), text.size() - 2 * open_bracket.size()));
  const std::string between = std::string(close_bracket) + std::string(open_bracket);
  for (std::size_t at = inner.find(between); at != std::string::npos; at = inner.find(between, at))
    inner.replace(at, between.size(), ", ");
  return std::string(trim(inner));
}

bool says_nothing(std::string_view text) {
  constexpr std::array<std::string_view, 7> words{"n/a", "na", "none", "nan", "tbd", "/", "无"};
  const auto is_dash = [](char c) { return c == '-'; };
  std::string lower = to_lower(text);
  for (const std::string_view dash : {"—", "–"})
    for (std::size_t at = lower.find(dash); at != std::string::npos; at = lower.find(dash))
      lower.replace(at, dash.size(), "-");
  return std::ranges::all_of(lower, is_dash) || std::ranges::find(words, lower) != words.end();
}

std::optional<Decimal> number_of_cell(std::string_view text) { return Decimal::parse(without_commas(text)); }

}  // namespace gate::schema
