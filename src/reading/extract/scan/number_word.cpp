#include "extract/scan/number_word.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "gate/base/text.h"
#include "gate/base/utf8.h"

namespace gate::extract {

namespace {

// A suffix and the exact factor numerator / denominator as a decimal: 1 KiB is 0.0009765625 MiB.
struct Suffix {
  std::string_view text;
  Decimal factor;
};

constexpr std::array suffixes{
    Suffix{"KiB", {9765625, -10}}, Suffix{"MiB", {1, 0}}, Suffix{"GiB", {1024, 0}},
    Suffix{"TiB", {1048576, 0}},   Suffix{"K", {1, 3}},   Suffix{"MB", {1, 0}},
    Suffix{"GB", {1024, 0}},       Suffix{"M", {1, 6}},   Suffix{"G", {1, 9}},
    Suffix{"T", {1, 12}},          Suffix{"%", {1, 0}},   Suffix{"ms", {1, 0}},
};

// Words that say that there is no value.
constexpr std::array<std::string_view, 5> nothing{"None", "null", "N/A", "nil", "--%"};

// What the C library of Windows writes.
struct NonFiniteWord {
  std::string_view text;
  ValueKind kind;
};
constexpr std::array non_finite_words{NonFiniteWord{"1.#INF", ValueKind::positive_infinity},
                                      NonFiniteWord{"-1.#INF", ValueKind::negative_infinity},
                                      NonFiniteWord{"1.#QNAN", ValueKind::nan},
                                      NonFiniteWord{"-1.#QNAN", ValueKind::nan},
                                      NonFiniteWord{"1.#IND", ValueKind::nan},
                                      NonFiniteWord{"-1.#IND", ValueKind::nan}};

constexpr std::array<std::string_view, 3> words_for_yes{"true", "True", "success"};
constexpr std::array<std::string_view, 3> words_for_no{"false", "False", "aborted"};

// Return what `[x]`, `np.float64(x)` or `tensor(x, device=...)` holds, else the word. A comma in a list parts
// two of them.
std::string_view without_wrapping(std::string_view word) {
  constexpr std::string_view tensor = "tensor(";
  if (word.starts_with(tensor)) {
    const std::string_view inner = word.substr(tensor.size());
    const std::size_t end = std::min(inner.find_first_of(",)"), inner.size());
    const std::string_view rest = inner.substr(end);
    const bool is_one = rest.size() < 2 || rest.starts_with(')') || rest.starts_with(", ");
    return is_one && rest.find('\0') == rest.npos ? inner.substr(0, end) : word;
  }
  const bool single = word.find(',') == std::string_view::npos;
  if (word.starts_with('[') && word.ends_with(']') && single) return trim(word.substr(1, word.size() - 2));
  if (!word.starts_with("np.") || !word.ends_with(')')) return word;
  constexpr std::string_view in_type = "abcdefghijklmnopqrstuvwxyz0123456789_";
  const std::size_t open = word.find_first_not_of(in_type, 3);
  if (word[open] != '(') return word;
  return word.substr(open + 1, word.size() - open - 2);
}

// A remark is one pair of parentheses at the end, without a blank or NUL.
std::string_view without_remark(std::string_view word) {
  constexpr std::string_view ends{") \0", 3};
  const std::size_t open = word.find('(');
  if (open == std::string_view::npos || !word.ends_with(')')) return word;
  return word.find_first_of(ends, open) + 1 == word.size() ? word.substr(0, open) : word;
}

// Return the value of a word that is no finite number, behind which a sentence or a list goes on.
std::optional<Value> parse_non_finite(std::string_view word) {
  word = word.substr(0, word.find_last_not_of(".,;:!)]}") + 1);
  const auto* const it = std::ranges::find(non_finite_words, word, &NonFiniteWord::text);
  if (it != non_finite_words.end()) return Value{it->kind, {}};
  const std::optional<Value> value = parse_value(word);
  return value && !value->is_finite() ? value : std::nullopt;
}

// Return the value of `nan.0` and `-inf.0`, as tqdm fills words up to five characters.
std::optional<Value> parse_filled(std::string_view word) {
  if (const std::optional<Value> value = parse_non_finite(word)) return value;
  constexpr std::string_view filling = ".0";
  return word.ends_with(filling) ? parse_non_finite(word.substr(0, word.size() - filling.size()))
                                 : std::nullopt;
}

// Tell whether the commas of the word part its digits in threes, all of them before the point.
bool in_threes(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  const std::string_view whole = word.substr(0, word.find_first_not_of("0123456789,"));
  std::size_t run = 0, groups = 0;
  for (const char c : whole) {
    if (is_digit(c) && ++run > 3) return false;
    if (is_digit(c)) continue;
    if (run == 0 || (groups > 0 && run != 3)) return false;
    ++groups;
    run = 0;
  }
  return run == 3;
}

// Tell whether the point at the word's end is another one than its own: `2.31.`
bool ends_sentence(std::string_view word) {
  return word.size() > 2 && word.ends_with('.') && is_digit(word[word.size() - 2]) &&
         word.find('.') + 1 < word.size() && word.find(',') == std::string_view::npos;
}

// Return the value of what C's %a writes: `0x1.27p+1`.
std::optional<Value> parse_hex(std::string_view word) {
  const bool is_negative = word.starts_with('-');
  word.remove_prefix(is_negative || word.starts_with('+') ? 1 : 0);
  if (!word.starts_with("0x") || word.find('p') == std::string_view::npos) return std::nullopt;
  double number = 0;
  const char* const end = word.data() + word.size();
  const auto read = std::from_chars(word.data() + 2, end, number, std::chars_format::hex);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  std::array<char, 32> digits{};
  const auto written =
      std::to_chars(digits.data(), digits.data() + digits.size(), is_negative ? -number : number);
  return parse_value({digits.data(), written.ptr});
}

// Return the word with its wide characters, as East Asian texts have them, in ASCII.
std::string narrowed(std::string_view word) {
  std::string narrow;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const bool is_wide =
        word.substr(i).starts_with("\xef\xbc") && i + 2 < word.size() && !is_ascii(word[i + 2]);
    if (!is_wide) {
      narrow += word[i];
      continue;
    }
    narrow += static_cast<char>(static_cast<unsigned char>(word[i + 2]) - 0x60);  // U+FF01 is `!`
    i += 2;
  }
  return narrow;
}

std::optional<Value> parse_thousands(std::string_view word, Thousands thousands) {
  if (word.find(',') == std::string_view::npos) return parse_value(word);
  if (!in_threes(word) || (thousands == Thousands::plain && has_two_readings(word))) return std::nullopt;
  std::string plain(word);
  std::erase(plain, ',');
  return parse_value(plain);
}

}  // namespace

std::string_view without_quotes(std::string_view word) {
  const bool quoted =
      word.size() >= 2 && word.front() == word.back() && (word.front() == '\'' || word.front() == '"');
  return quoted ? word.substr(1, word.size() - 2) : word;
}

std::optional<Value> reciprocal_of(const Value& value, const Decimal& factor) {
  if (!value.is_finite()) return value;
  if (value.number.is_zero()) return std::nullopt;
  std::array<char, 32> digits{};
  const double quotient = factor.to_double() / value.number.to_double();
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), quotient,
                                 std::chars_format::scientific, 14);
  const std::optional<Decimal> number = Decimal::parse({digits.data(), end.ptr});
  return number ? std::optional(Value{ValueKind::finite, *number}) : std::nullopt;
}

std::optional<Value> scale(const Value& value, const Decimal& factor) {
  if (!value.is_finite() || factor == Decimal{1, 0}) return value;
  const std::optional<Decimal> product = multiply(value.number, factor);
  return product ? std::optional(Value{ValueKind::finite, *product}) : std::nullopt;
}

std::string_view unit_read(std::string_view letters) {
  const bool is_memory = std::ranges::find(suffixes, letters, &Suffix::text) != suffixes.end() &&
                         letters.size() > 1 && letters.ends_with('B');
  return is_memory ? "MiB" : letters;
}

bool has_two_readings(std::string_view word) {
  return std::ranges::count(word, ',') == 1 && word.find('.') == std::string_view::npos && in_threes(word);
}

std::optional<Value> parse_word(std::string_view word, Thousands thousands) {
  if (const std::optional<Value> number = parse_number(word, thousands)) return number;
  if (word.size() > longest_word) return std::nullopt;
  word = without_remark(without_wrapping(without_quotes(word)));
  const bool yes = std::ranges::find(words_for_yes, word) != words_for_yes.end();
  if (!yes && std::ranges::find(words_for_no, word) == words_for_no.end()) return std::nullopt;
  return Value{ValueKind::finite, Decimal{yes ? 1 : 0, 0}};
}

std::optional<Value> parse_number(std::string_view word, Thousands thousands) {
  if (word.size() > longest_word) return std::nullopt;
  if (const std::optional<Value> plain = parse_value(word)) return plain;
  // A wide character may be cut off, and stays then.
  if (word.find("\xef\xbc") != std::string_view::npos)
    if (const std::string narrow = narrowed(word); narrow.size() < word.size())
      return parse_number(narrow, thousands);
  word = without_remark(without_wrapping(without_quotes(word)));
  if (const std::optional<Value> filled = parse_filled(word)) return filled;
  if (const std::optional<Value> hex = parse_hex(word)) return hex;
  for (const Suffix& suffix : suffixes) {
    if (!word.ends_with(suffix.text)) continue;
    word.remove_suffix(suffix.text.size());
    const std::optional<Value> value = parse_thousands(word, thousands);
    if (!value || (!value->is_finite() && suffix.text != "%")) return std::nullopt;
    return scale(*value, suffix.factor);
  }
  if (ends_sentence(word)) word.remove_suffix(1);
  return parse_thousands(word, thousands);
}

bool begins_number(std::string_view word) {
  word.remove_prefix(std::min(word.find_first_not_of("'\""), word.size()));
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  if (word.starts_with('.')) word.remove_prefix(1);
  return !word.empty() && is_digit(word.front());
}

bool says_nothing(std::string_view word) {
  if (word.empty() || is_digit(word.front())) return false;
  word = without_quotes(word);
  if (word.ends_with('.')) word.remove_suffix(1);
  return std::ranges::find(nothing, word) != nothing.end();
}

}  // namespace gate::extract
