#include "extract/scan/head_pattern.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

// --- plain texts ---------------------------------------------------------------------------------

constexpr std::size_t width = 16;
using Bytes = unsigned char __attribute__((vector_size(width)));

Bytes load(const char* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, width);
  return bytes;
}

Bytes repeated(char c) { return Bytes{} + static_cast<unsigned char>(c); }

template <typename Vector>
bool any(const Vector& bytes) {
  std::array<std::uint64_t, 2> halves{};
  std::memcpy(halves.data(), &bytes, width);
  return (halves[0] | halves[1]) != 0;
}

// Return the first of the places from `at` to `end` where the needle stands, or npos.
std::size_t find_at(std::string_view text, std::string_view needle, std::size_t at, std::size_t end) {
  for (; at < end; ++at)
    if (text[at] == needle[0] && std::memcmp(text.data() + at, needle.data(), needle.size()) == 0) return at;
  return npos;
}

// --- patterns ------------------------------------------------------------------------------------

// Return the place of the bracket that ends the class that begins at `at`.
std::size_t end_of_class(std::string_view pattern, std::size_t at) {
  for (const char c : {'^', ']'})  // as in `[^]a]`
    if (pattern.substr(at + 1).starts_with(c)) ++at;
  for (++at; at < pattern.size() && pattern[at] != ']'; ++at)
    if (pattern[at] == '\\') ++at;
  return at;
}

// Tell whether the pattern has branches, parted by bars outside of all parentheses.
bool has_branches(std::string_view pattern) {
  int depth = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\')
      ++i;
    else if (pattern[i] == '[')
      i = end_of_class(pattern, i);
    else if (pattern[i] == '(')
      ++depth;
    else if (pattern[i] == ')')
      --depth;
    else if (pattern[i] == '|' && depth == 0)
      return true;
  }
  return false;
}

// Take one byte that stands for itself, be it behind a backslash, off the pattern. Nothing: it begins with
// none, or it is that byte repeated, or left out.
std::optional<char> take_plain(std::string_view& pattern) {
  const bool escaped = pattern.starts_with('\\');
  const std::string_view behind = pattern.substr(std::min<std::size_t>(escaped ? 2 : 1, pattern.size()));
  if (pattern.empty() || (escaped && pattern.size() == 1)) return std::nullopt;
  const char c = pattern[escaped ? 1 : 0];
  const bool special = escaped ? is_letter_or_digit(c) : std::string_view("^$.|?*+()[]{}").find(c) != npos;
  if (special || behind.find_first_of("?*+{") == 0) return std::nullopt;
  pattern = behind;
  return c;
}

}  // namespace

// Thirty-two places are tried at once: the needle can only stand where its first byte does and, as far behind
// it as the needle is long, its last byte. string_view::find stops at each first byte, and lines are full of
// `i`s; memmem prepares a table that lines are too short for.
std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from) {
  if (from > text.size() || needle.size() > text.size() - from) return npos;
  const std::size_t end = text.size() - needle.size() + 1;
  const std::size_t last = needle.size() - 1;
  const Bytes first_byte = repeated(needle.front());
  const Bytes last_byte = repeated(needle.back());
  const auto may_stand = [&](std::size_t place) {
    const char* const there = text.data() + place;
    return (load(there) == first_byte) & (load(there + last) == last_byte);
  };
  std::size_t at = from;
  for (; at + 2 * width <= end; at += 2 * width) {
    if (!any(may_stand(at) | may_stand(at + width))) continue;
    const std::size_t found = find_at(text, needle, at, at + 2 * width);
    if (found != npos) return found;
  }
  if (at + width <= end && !any(may_stand(at))) at += width;
  return find_at(text, needle, at, end);
}

HeadPattern::HeadPattern(std::string_view pattern)
    : regex_(std::make_unique<RE2>(piece(pattern), pattern_options())),
      groups_(regex_->NumberOfCapturingGroups() + 1) {
  const bool bounded = pattern.starts_with(R"(\b)");
  if (!regex_->ok() || has_branches(pattern)) return;
  if (bounded) pattern.remove_prefix(2);
  while (const std::optional<char> c = take_plain(pattern)) begin_ += *c;
  plain_ = pattern.empty() && !bounded && !begin_.empty();
}

bool HeadPattern::find(std::string_view text, std::size_t from, Groups& groups) const {
  if (begin_.empty()) return from < text.size() && matches(text, from, RE2::UNANCHORED, groups);
  for (std::size_t at = from; (at = find_text(text, begin_, at)) != npos; ++at) {
    if (plain_) groups[0] = piece(text.substr(at, begin_.size()));
    if (plain_ || matches(text, at, RE2::ANCHOR_START, groups)) return true;
  }
  return false;
}

bool HeadPattern::matches(std::string_view text, std::size_t from, RE2::Anchor anchor, Groups& groups) const {
  return groups_ <= static_cast<int>(groups.size()) &&
         regex_->Match(piece(text), from, text.size(), anchor, groups.data(), groups_);
}

}  // namespace gate::extract
