#include "extract/scan/progress_bar.h"

#include <algorithm>

#include <re2/re2.h>

#include "extract/scan/prefix.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

// Take the whole number that the text begins with off it.
std::optional<std::int64_t> take_number(std::string_view& text) {
  const auto size = static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
  const std::optional<std::int64_t> number = parse_integer(text.substr(0, size));
  text.remove_prefix(size);
  return number;
}

bool take(std::string_view words, std::string_view& text) {
  const bool begins = text.starts_with(words);
  if (begins) text.remove_prefix(words.size());
  return begins;
}

// `13:50` or `1:13:50`
std::optional<std::int64_t> take_seconds(std::string_view& text) {
  std::optional<std::int64_t> seconds = take_number(text);
  while (seconds && take(":", text)) {
    const std::optional<std::int64_t> next = take_number(text);
    seconds = next ? std::optional(*seconds * 60 + *next) : std::nullopt;
  }
  return seconds;
}

}  // namespace

std::optional<ShownStep> shown_step(std::string_view line) {
  if (line.find("%|") == std::string_view::npos) return std::nullopt;
  std::string_view text = without_blanks(line.substr(parse_prefix(line).end));
  if (take("Train:", text)) text = without_blanks(text);
  if (!take_number(text) || !take("%|", text)) return std::nullopt;
  const std::size_t end = text.find('|');
  if (end == std::string_view::npos) return std::nullopt;
  text = without_blanks(text.substr(end + 1));
  const std::optional<std::int64_t> step = take_number(text);
  if (!step || !take("/", text)) return std::nullopt;
  const std::optional<std::int64_t> total = take_number(text);
  const bool is_one = total && take(" [", text) && *step <= *total && *total > 0;
  return is_one ? std::optional(ShownStep{*step, *total, take_seconds(text)}) : std::nullopt;
}

std::string_view behind_bars(std::string_view line) {
  static const RE2 bar(
      R"([ \r]*(?:[A-Za-z][\w .-]*(?:\([\w= -]*\))?:)? *\d+%\|[^|]*\| *[^\s/]+/\S+ \[[^\]]*\])",
      pattern_options());
  constexpr std::size_t longest_name = 128;
  const std::size_t percent = line.substr(0, longest_name).find('%');
  if (percent == std::string_view::npos || line.find("%|", percent) == std::string_view::npos) return line;
  const std::string_view payload = line.substr(parse_prefix(line).end);
  re2::StringPiece rest = piece(payload);
  while (RE2::Consume(&rest, bar)) continue;
  return rest.size() == payload.size() ? line : payload.substr(payload.size() - rest.size());
}

}  // namespace gate::extract
