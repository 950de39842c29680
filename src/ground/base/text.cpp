#include "gate/base/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <utility>

#include "gate/base/natural.h"
#include "gate/base/utf8.h"

namespace gate {

namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

// Two neighbours that changed places are one edit: `chekc` is as near to `check` as `chec` is.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, above, row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before = std::exchange(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, above[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

void append_escaped(std::string& out, unsigned char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\x";
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

// Of one valid character: whether it must not reach a terminal, an XML file or a web page as it is. Those are
// the control characters (C0, C1), what breaks lines (U+2028, U+2029) or turns the direction of what follows
// (U+061C, U+200E, U+200F, U+202A-202E, U+2060-206F), what nobody sees (U+00AD, U+200B, U+FEFF,
// U+E0000-E007F), and noncharacters (U+FFFE, U+FFFF).
bool is_harmful(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0x200B || c == 0x200E ||
         c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         c == 0xFFFE || c == 0xFFFF || (c >= 0xE0000 && c <= 0xE007F);
}

// Take a run of digits, or one other character, from the front.
std::string_view take_part(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  const std::string_view part = text.substr(0, std::max<std::size_t>(1, end - text.begin()));
  text.remove_prefix(part.size());
  return part;
}

int compare_parts(std::string_view a, std::string_view b) {
  if (!is_digit(a.front()) || !is_digit(b.front())) return a.compare(b);
  a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
  b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

}  // namespace

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool holds_nothing(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  while (text.starts_with(mark)) text.remove_prefix(mark.size());
  return trim(text).empty();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string_view::npos; begin = end + 1)
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

std::string_view last_line(std::string_view text) {
  const std::string_view whole = trim(text);
  return trim(whole.substr(whole.rfind('\n') + 1));  // npos + 1 is 0
}

std::optional<KeyAndValue> key_and_value(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  return KeyAndValue{text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t begin = text.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::string some_of(std::span<const std::string> names, std::size_t most) {
  const std::size_t shown = std::min(names.size(), most);
  return join(names.first(shown), ", ") +
         (names.size() > shown ? " and " + std::to_string(names.size() - shown) + " more" : "");
}

std::string to_lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || text.empty()) return std::nullopt;
  return value;
}

namespace {

// Return the shortest candidate that begins with all words of the word: `BERT 1x8 A100 fp32` for `BERT 1x8
// A100`.
std::optional<std::string> shortest_beginning_with(std::string_view word,
                                                   std::span<const std::string> candidates) {
  std::optional<std::string> best;
  for (const std::string& candidate : candidates)
    if (candidate.starts_with(std::string(word) + " ") && (!best || candidate.size() < best->size()))
      best = candidate;
  return best;
}

// Return the shortest candidate of which the word is a part between underscores: hbm_gb for `hbm`.
std::optional<std::string> shortest_with(std::string_view word, std::span<const std::string> candidates) {
  std::optional<std::string> best;
  const std::string part = "_" + to_lower(word) + "_";
  for (const std::string& candidate : candidates)
    if (("_" + to_lower(candidate) + "_").find(part) != std::string::npos &&
        (!best || candidate.size() < best->size()))
      best = candidate;
  return best;
}

}  // namespace

std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > 100) return std::nullopt;
  if (auto longer = shortest_beginning_with(word, candidates)) return longer;
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(to_lower(word), to_lower(candidate));
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best ? best : shortest_with(word, candidates);
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> near = closest(word, candidates);
  return near ? "; did you mean \"" + *near + "\"?" : "";
}

std::string shell_quote(std::string_view text) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!text.empty() && text.find_first_not_of(safe) == std::string_view::npos) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string printable(std::string_view text, std::size_t limit) {
  if (text.size() <= limit && is_plain(text)) return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() >= limit) return out + "...";
    const CodePoint next = code_point_at(text, i);
    const std::string_view character = text.substr(i, next.is_bad ? 1 : next.length);
    i += character.size();
    if (!next.is_bad && !is_harmful(next.value))
      out += character;
    else if (character == "\t")
      out += ' ';
    else
      for (const char byte : character) append_escaped(out, static_cast<unsigned char>(byte));
  }
  return out;
}

std::string short_commit(const std::string& commit) {
  const std::size_t digits = std::min(commit.find_first_not_of("0123456789abcdef"), commit.size());
  return digits < 40 ? commit : commit.substr(0, 7) + commit.substr(digits);
}

std::string first_and_count(std::string_view text) {
  const auto lines = split(trim(text), '\n');
  const std::string first(lines.empty() ? "" : trim(lines.front()));
  return lines.size() < 2 ? first : first + " (and " + std::to_string(lines.size() - 1) + " more)";
}

std::string in_one_line(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) (out += out.empty() ? "" : "; ") += trim(line);
  return out;
}

std::string count_of(std::int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t same = std::ranges::mismatch(a, b).in1 - a.begin();
  while (same > 0 && is_digit(a[same - 1])) --same;  // not into the middle of a number
  std::string_view rest_a = a.substr(same), rest_b = b.substr(same);
  while (!rest_a.empty() && !rest_b.empty())
    if (const int order = compare_parts(take_part(rest_a), take_part(rest_b)); order != 0) return order < 0;
  return rest_a.size() != rest_b.size() ? rest_a.size() < rest_b.size() : a < b;
}

}  // namespace gate
