// RE2 tells what it stumbled over, and not where; of an unbalanced parenthesis it tells the whole pattern. So
// the place is found by trying: the shortest beginning of the pattern that is refused for the same reason
// ends where RE2 stumbled. Of `missing )` it is the last parenthesis that nothing closes: the pattern from
// there on lacks one as well, and no backslash or bracket before makes it an ordinary character.
#include "extract/patterns/pattern_place.h"

#include <algorithm>
#include <optional>

#include "extract/scan/pattern.h"
#include "gate/base/columns.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t longest_tried = 400;

RE2::ErrorCode error_of(std::string_view pattern) {
  return RE2(piece(pattern), pattern_options()).error_code();
}

bool is_open(std::string_view pattern, std::size_t at) {
  if (pattern[at] != '(' || error_of(pattern.substr(at)) != RE2::ErrorMissingParen) return false;
  const RE2::ErrorCode before = error_of(pattern.substr(0, at));
  return before == RE2::NoError || before == RE2::ErrorMissingParen;
}

std::optional<std::size_t> last_open(std::string_view pattern) {
  for (std::size_t at = pattern.size(); at-- > 0;)
    if (is_open(pattern, at)) return at;
  return std::nullopt;
}

// Return the length of the shortest beginning that is refused for the same reason.
std::optional<std::size_t> refused_length(std::string_view pattern, const RE2& regex) {
  const bool tells_all = regex.error_arg() == pattern;
  for (std::size_t length = 1; length <= pattern.size(); ++length) {
    const RE2 beginning(piece(pattern.substr(0, length)), pattern_options());
    if (beginning.error_code() == regex.error_code() &&
        (tells_all || beginning.error_arg() == regex.error_arg()))
      return length;
  }
  return std::nullopt;
}

std::optional<std::size_t> place_of(std::string_view pattern, const RE2& regex) {
  if (regex.error_code() == RE2::ErrorMissingParen) return last_open(pattern);
  if (regex.error_code() == RE2::ErrorTrailingBackslash) return pattern.size() - 1;
  if (regex.error_arg().empty()) return std::nullopt;
  const std::optional<std::size_t> length = refused_length(pattern, regex);
  if (!length) return std::nullopt;
  if (regex.error_code() == RE2::ErrorUnexpectedParen) return *length - 1;
  const std::size_t at = pattern.substr(0, *length).rfind(regex.error_arg());
  return at == std::string_view::npos ? std::nullopt : std::optional(at);
}

}  // namespace

std::string refusal_text(const RE2& regex) {
  const std::string& pattern = regex.pattern();
  std::string text = printable(regex.error(), longest_tried);
  if (pattern.find("(?<") != std::string::npos) text += "; a named group is written (?P<value>...)";
  text += "\n  '" + safe(printable(pattern, longest_tried)) + "'";
  if (pattern.size() > longest_tried) return text;
  const std::optional<std::size_t> place = place_of(pattern, regex);
  if (!place) return text;
  const int before = columns("  '" + safe(pattern.substr(0, *place)));
  return text + "\n" + std::string(static_cast<std::size_t>(before), ' ') + "^";
}

}  // namespace gate::extract
