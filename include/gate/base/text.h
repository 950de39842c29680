// Small functions on text. All work on bytes; none depends on the locale.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

// Of ASCII alone.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter_or_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Return the text without blanks (space, \t, \r, \n, \v, \f) at both ends.
std::string_view trim(std::string_view text);

// Tell whether the text holds nothing but blanks behind marks of the byte order (UTF-8).
bool holds_nothing(std::string_view text);

// Return the last line that is not blank, without blanks at both ends; "" where there is none.
std::string_view last_line(std::string_view text);

// Return the parts between separators; n separators give n+1 parts, the empty text one empty part.
std::vector<std::string_view> split(std::string_view text, char separator);

struct KeyAndValue {
  std::string_view key, value;
};

// Return what stands before the first `=`, and behind it; nothing where there is none.
std::optional<KeyAndValue> key_and_value(std::string_view text);

// Return the words between runs of blanks; no word is empty.
std::vector<std::string_view> split_words(std::string_view text);

std::string join(std::span<const std::string> parts, std::string_view separator);

// Return the first of the names, at most so many, and how many more there are: `a, b and 3 more`.
std::string some_of(std::span<const std::string> names, std::size_t most);

// Return the text with ASCII letters in lower case.
std::string to_lower(std::string_view text);

// Return the whole text as a decimal integer, or nothing.
std::optional<std::int64_t> parse_integer(std::string_view text);

// Return the candidate nearest to the word by edit distance, if it is near enough to be what was meant (at
// most a third of the word's length, at least 1, apart); else the shortest one of which the word is a part
// between underscores, as `hbm` is of `hbm_gb`; else nothing.
std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates);

// Return `; did you mean "X"?` for the candidate nearest to the word, or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// Tell whether the whole name matches the glob: `*` any run of characters but `/`, `**` any run, `**/` in
// front of a part of a path any number of folders, none too, `?` one character but `/`, `[a-z]` and `[!a-z]`
// one of a set. Every other character stands for itself.
bool glob_match(std::string_view pattern, std::string_view name);

// Tell whether some name matches both globs.
bool globs_overlap(std::string_view a, std::string_view b);

// Tell whether the text contains a glob character.
bool is_glob(std::string_view text);

// Return the text as one word of a POSIX shell: as it is if it needs no quotes, else in single quotes.
std::string shell_quote(std::string_view text);

// Tell whether all bytes are printable ASCII, each one column wide.
bool is_plain(std::string_view text);

// Return the text with everything that a terminal or a viewer could obey instead of show replaced by `\xNN`:
// control characters (C1 too), line separators, direction overrides, noncharacters, invalid UTF-8. A tab
// becomes a blank; a text longer than `limit` bytes is cut and ends in `...`.
std::string printable(std::string_view text, std::size_t limit = 400);

// Return a full commit hash in its short form, 7 digits; a suffix such as `-dirty` stays. Of any other text
// the text.
std::string short_commit(const std::string& commit);

// Return the lines of the text as one, joined by `; `.
std::string in_one_line(std::string_view text);

// Return the first line of the text, and how many more there are: `a.json:1:14: a value ... (and 14 more)`.
std::string first_and_count(std::string_view text);

// Return `1 step`, `2 steps`: the count and the noun, with an s unless the count is 1.
std::string count_of(std::int64_t count, std::string_view noun);

// Return the text that `look`, a function or a pointer to a member, makes of each, in their order; without it
// the texts themselves.
template <class List, class Look = std::identity>
std::vector<std::string> texts_of(List&& list, Look look = {}) {
  std::vector<std::string> texts;
  for (auto&& one : list) texts.emplace_back(std::invoke(look, one));
  return texts;
}

// Return the keys of a map, in its order.
template <class Map>
std::vector<std::string> keys_in(const Map& map) {
  return texts_of(map, [](const auto& one) { return one.first; });
}

// Return the first row whose member, by a pointer to it, is that; null where none is.
template <class Rows, class Name, class Member>
auto* row_in(Rows&& rows, const Name& name, Member member) {
  const auto found = std::ranges::find(rows, name, member);
  return found == std::ranges::end(rows) ? nullptr : &*found;
}

// Return what the map has under the name; a value made by default where it has nothing.
template <class Map, class Name>
typename Map::mapped_type value_under(const Map& map, const Name& name) {
  const auto found = map.find(name);
  return found == map.end() ? typename Map::mapped_type{} : found->second;
}

}  // namespace gate
