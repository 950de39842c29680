#include "extract/scan/prefix.h"

#include <re2/re2.h>

#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t longest_label = 64;
constexpr std::size_t most_words = 4;

bool is_label(char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == '_'; }

// Tell whether a progress bar stands there: `  3%|`.
bool begins_bar(std::string_view text) {
  const std::size_t number = text.find_first_not_of(' ');
  const std::size_t percent = text.find_first_not_of("0123456789", number);
  return number != percent && percent != std::string_view::npos && text.substr(percent).starts_with("%|");
}

// Tell whether a number stands there that ends a field: ` 0|`, ` 0 |`.
bool is_barred_number(std::string_view text) {
  const std::size_t number = text.find_first_not_of(' ');
  const std::size_t end = text.find_first_not_of("0123456789", number);
  return number != end && end != std::string_view::npos &&
         (text.substr(end).starts_with('|') || text.substr(end).starts_with(" |"));
}

// Return the length of `  31: ` or `host-3: ` with its blank, or 0. What names a progress bar, or a field
// (`epoch: 0|`), is no label.
std::size_t label_length(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size() && begin < longest_label && text[begin] == ' ') ++begin;
  std::size_t end = begin;
  while (end < text.size() && end - begin < longest_label && is_label(text[end])) ++end;
  if (end == begin || end == text.size() || text[end] != ':') return 0;
  if (end + 1 == text.size()) return end + 1;
  const std::string_view rest = text.substr(end + 1);
  const bool names_field = text.substr(begin, end - begin).ends_with("poch") && is_barred_number(rest);
  return rest.starts_with(' ') && !begins_bar(rest) && !names_field ? end + 2 : 0;
}

// Tell whether the text may begin with a launcher's word in brackets. Most of what stands in brackets is a
// time or a level.
bool may_be_bracket(std::string_view text) {
  const char open = text[0];
  const char next = text.size() > 1 ? text[1] : ' ';
  if (open == '(') return is_label(next);
  if (open != '[') return false;
  if (!is_digit(next)) return next == 'd' || next == 'r' || next == 'p';
  const std::size_t end = text.find_first_not_of("0123456789", 1);
  return end != std::string_view::npos && (text[end] == ']' || text[end] == ',');
}

std::size_t bracket_length(std::string_view text) {
  static const RE2 pattern(
      R"( *(\[(default|rank)?\d+\]:|\[\d+,\d+\]<\w+>:|\[pod/[^\]\s]*\] |\([A-Za-z_]\w* pid=\d+[^()]*\) ))",
      pattern_options());
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos || !may_be_bracket(text.substr(first))) return 0;
  re2::StringPiece match;
  if (!pattern.Match(piece(text), 0, text.size(), RE2::ANCHOR_START, &match, 1)) return 0;
  return match.size();
}

// Return the length of the escape sequence at the start of the text: ESC [ ... letter, ESC ] ... BEL, or ESC
// and one more byte. One that the line cuts off takes the rest.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  const bool control = text[1] == '[';
  if (!control && text[1] != ']') return 2;
  for (std::size_t i = 2; i < text.size(); ++i)
    if (control ? text[i] >= '@' && text[i] <= '~' : text[i] == '\a') return i + 1;
  return text.size();
}

// Return the length of the shape, in which `d` is a digit, if the text begins so; else 0.
std::size_t shape_length(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return 0;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == 'd' ? !is_digit(text[i]) : text[i] != shape[i]) return 0;
  return shape.size();
}

// Return the length of a time that a collector of logs puts before a line, with what follows of its own:
// `2025-06-02T07:00:00.123456789Z stdout F `, `[2025-06-02 07:00:00] `; 0 without one.
std::size_t stamp_length(std::string_view text) {
  std::size_t end = std::min(text.find_first_not_of(' '), text.size());
  const bool in_brackets = text.substr(end).starts_with('[');
  end += in_brackets ? 1 : 0;
  const std::size_t date = shape_length(text.substr(end), "dddd-dd-dd");
  if (date == 0) return 0;
  end += date + 1;
  const std::size_t time = end <= text.size() ? shape_length(text.substr(end), "dd:dd:dd") : 0;
  if (time == 0) return 0;
  end = std::min(text.find_first_not_of("0123456789.,:+-Z", end), text.size());
  if (in_brackets && text.substr(end).starts_with(']')) ++end;
  for (const std::string_view stream : {" stdout F", " stderr F"})
    if (text.substr(end).starts_with(stream)) end += stream.size();
  return text.substr(end).starts_with(' ') ? end + 1 : 0;
}

}  // namespace

Prefix parse_prefix(std::string_view line) {
  line = line.substr(0, longest_prefix);
  Prefix prefix;
  const std::size_t begin = stamp_length(line);
  prefix.end = begin;
  for (std::size_t words = 0; words < most_words; ++words) {
    const std::string_view rest = line.substr(prefix.end);
    const bool may_be_level = words == 0 && begin > 0 && !is_digit(rest.empty() ? ' ' : rest[0]);
    const std::size_t label = may_be_level ? 0 : label_length(rest);
    const std::size_t length = label != 0 ? label : bracket_length(rest);
    if (length == 0) break;
    prefix.end += length;
    if (words > 0) continue;
    prefix.outer = trim(rest.substr(0, length));
    prefix.payload = prefix.end;
  }
  prefix.source = trim(line.substr(begin, prefix.end - begin));
  if (prefix.source.ends_with(':')) prefix.source.remove_suffix(1);
  return prefix;
}

std::optional<int> rank_of_prefix(std::string_view source) {
  constexpr std::size_t most_digits = 6;
  const bool named = source.ends_with(']');
  if (named) source.remove_suffix(1);
  std::size_t begin = source.size();
  while (begin > 0 && is_digit(source[begin - 1])) --begin;
  const std::string_view name = source.substr(0, begin);
  const std::string_view digits = source.substr(begin);
  const bool fits = named ? name.ends_with("[rank") || name.ends_with("[default") : name.empty();
  if (!fits || digits.empty() || digits.size() > most_digits) return std::nullopt;
  return static_cast<int>(*parse_integer(digits));
}

std::string with_rank(std::string_view source, int rank) {
  static const RE2 pattern(R"((\[(?:rank|default))\d+\]$)", pattern_options());
  std::string text(source);
  if (!RE2::Replace(&text, pattern, "\\1" + std::to_string(rank) + "]"))
    text += (text.empty() ? "[rank" : " [rank") + std::to_string(rank) + "]";
  return text;
}

std::optional<int> rank_of_file(std::string_view name) {
  static const RE2 pattern(
      R"((?:^|[^a-zA-Z])(?:worker|rank)[_-]?(\d{1,6})(?:[^\d/][^/]*|/std(?:out|err)[^/]*)?$)"
      R"(|(?:^|/)(\d{1,6})/std(?:out|err)[^/]*$)",
      pattern_options());
  std::string named, numbered;
  if (!RE2::PartialMatch(piece(name), pattern, &named, &numbered)) return std::nullopt;
  return static_cast<int>(*parse_integer(named.empty() ? numbered : named));
}

std::string_view strip_escapes(std::string_view line, std::string& scratch) {
  if (line.find('\x1b') == std::string_view::npos) return line;
  scratch.clear();
  while (!line.empty()) {
    const std::size_t escape = std::min(line.find('\x1b'), line.size());
    scratch.append(line.substr(0, escape));
    line.remove_prefix(escape);
    if (!line.empty()) line.remove_prefix(escape_length(line));
  }
  return scratch;
}

}  // namespace gate::extract
