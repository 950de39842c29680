// The grammar of tolerances:  any_of = all_of { "or" all_of }   all_of = bound { "and" bound }
// bound = sign number ["%"] | comparison [sign] number | "exact" | "<=" number "%"
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/text.h"
#include "gate/base/utf8.h"
#include "gate/model/rules/grammar.h"

namespace gate {

namespace {

// The words of a tolerance, with the many ways in which people type its signs made one.
enum class WordKind { sign, comparison, number, percent, name, other, end };

struct ToleranceWord {
  WordKind kind = WordKind::end;
  std::string text;           // canonical: ± + - >= > % 0.01 and or exact
  std::size_t character = 0;  // where it begins, in characters from 1
};

struct Spelling {
  std::string_view typed;
  WordKind kind;
  std::string_view text;
};

// Longer spellings come before those that they begin with.
constexpr std::array<Spelling, 26> spellings{{
    {"+/-", WordKind::sign, "±"},       {"+-", WordKind::sign, "±"},
    {"+−", WordKind::sign, "±"},        {"±", WordKind::sign, "±"},
    {"+", WordKind::sign, "+"},         {"＋", WordKind::sign, "+"},
    {"-", WordKind::sign, "-"},         {"−", WordKind::sign, "-"},
    {"－", WordKind::sign, "-"},        {"%", WordKind::percent, "%"},
    {"％", WordKind::percent, "%"},     {">=", WordKind::comparison, ">="},
    {"≥", WordKind::comparison, ">="},  {"<=", WordKind::comparison, "<="},
    {"≤", WordKind::comparison, "<="},  {"==", WordKind::comparison, "=="},
    {"!=", WordKind::comparison, "!="}, {"≠", WordKind::comparison, "!="},
    {">", WordKind::comparison, ">"},   {"<", WordKind::comparison, "<"},
    {"=", WordKind::other, "="},        {",", WordKind::other, ","},
    {"&&", WordKind::other, "&&"},      {"||", WordKind::other, "||"},
    {"(", WordKind::other, "("},        {")", WordKind::other, ")"},
}};

constexpr std::array<std::string_view, 3> wide_blanks{"\u00A0", "\u3000", "\u2009"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

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

std::size_t character_length(std::string_view text) { return 1 + length_of(text.substr(1), is_continuation); }

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

// Return the words of the text; the last one is always `end`. `±`, `+-` and `+/-` are one sign, `−` `－` `＋`
// `％` `≤` `≥` `≠` what they look like; names are in lower case; what cannot be part of a tolerance is
// `other`.
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
    character += static_cast<std::size_t>(begun_in(text.substr(0, length)));
    text.remove_prefix(length);
  }
  words.push_back({WordKind::end, "", character});
  return words;
}

constexpr std::size_t longest_text = 1000;
constexpr std::int32_t furthest_exponent = 60;
constexpr std::string_view forms =
    "write \"±0.01\", \"±2%\", \"-5%\", \"+10%\", \"exact\", \">= 0.75\", \"< 5000\" or \"== 0\"";

class ToleranceParser {
 public:
  explicit ToleranceParser(std::string_view text) : text_(text), words_(tolerance_words(text)) {}

  Result<Tolerance> parse() {
    if (now().kind == WordKind::end) return complain("empty; " + std::string(forms));
    Tolerance tolerance;
    tolerance.any_of.emplace_back();
    for (;;) {
      GATE_TRY(Bound bound, parse_bound());
      tolerance.any_of.back().push_back(bound);
      if (now().kind == WordKind::end) return checked(std::move(tolerance));
      if (now().kind != WordKind::name || (now().text != "or" && now().text != "and"))
        return unexpected("\"or\", \"and\" or the end");
      if (take().text == "or") tolerance.any_of.emplace_back();
    }
  }

 private:
  const ToleranceWord& now() const { return words_[next_]; }
  const ToleranceWord& take() { return words_[next_ + 1 < words_.size() ? next_++ : next_]; }
  bool takes(WordKind kind, std::string_view text) {
    const bool is = now().kind == kind && now().text == text;
    if (is) take();
    return is;
  }

  tl::unexpected<Error> complain(const std::string& what) const {
    return fail("tolerance \"" + printable(text_, 80) + "\": " + what);
  }

  tl::unexpected<Error> unexpected(std::string_view wanted) const {
    const std::string found = now().kind == WordKind::end ? "nothing" : '"' + printable(now().text, 40) + '"';
    return complain(
        fmt::format("expected {} at character {}, found {}; {}", wanted, now().character, found, forms));
  }

  Result<Bound> parse_bound() {
    if (takes(WordKind::name, "exact")) return Bound{};
    if (now().kind == WordKind::sign) return parse_deviation();
    if (now().kind == WordKind::comparison) return parse_constant();
    if (now().kind == WordKind::number) return complain_of_bare_number();
    if (takes(WordKind::other, "=")) return complain_of_equal_sign();
    return unexpected("a bound");
  }

  Result<Bound> parse_deviation() {
    const std::string sign = take().text;
    GATE_TRY(const Decimal amount, parse_number());
    const bool percent = takes(WordKind::percent, "%");
    if (amount.is_zero())
      return complain(
          "an amount of 0 leaves no room: \"exact\" is the same number as the baseline's, \"== 0\" the "
          "constant 0");
    Bound bound;
    bound.kind = percent ? Bound::Kind::relative : Bound::Kind::absolute;
    bound.side = sign == "±" ? Bound::Side::both : sign == "+" ? Bound::Side::upper : Bound::Side::lower;
    bound.amount = percent ? Decimal{amount.coefficient, amount.exponent - 2} : amount;
    return bound;
  }

  Result<Bound> parse_constant() {
    const std::string comparison = take().text;
    const bool negative = takes(WordKind::sign, "-");
    if (!negative) takes(WordKind::sign, "+");
    GATE_TRY(const Decimal constant, parse_number());
    if (takes(WordKind::percent, "%")) return error_bound(comparison, negative, constant);
    Bound bound;
    bound.kind = comparison_of(comparison).value_or(Bound::Kind::equals);
    bound.amount = negative ? -constant : constant;
    return bound;
  }

  Result<Bound> error_bound(std::string_view comparison, bool negative, const Decimal& percent) {
    if (comparison != "<=")
      return complain(
          "a constant has no percentage: \"±5%\", \"-5%\" and \"+5%\" are shares of the baseline, \"<= 5%\" "
          "bounds a mean relative error");
    if (negative || percent.is_zero())
      return complain(
          "a mean relative error is never below 0, and 0 only where both are the same: \"exact\"");
    return Bound{Bound::Kind::error, Bound::Side::both, percent};
  }

  Result<Decimal> parse_number() {
    if (now().kind != WordKind::number) return unexpected("a number");
    const ToleranceWord& word = take();
    const std::optional<Decimal> number = Decimal::parse(word.text);
    if (!number) return complain('"' + printable(word.text, 60) + "\" is not a number");
    if (std::abs(number->exponent) > furthest_exponent)
      return complain('"' + printable(word.text, 60) + "\" is out of range");
    return *number;
  }

  tl::unexpected<Error> complain_of_bare_number() {
    std::string n = printable(take().text, 40);
    if (takes(WordKind::percent, "%")) n += '%';
    return complain(
        fmt::format("say which side: \"±{}\" both, \"-{}\" may be lower, \"+{}\" may be higher", n, n, n));
  }

  tl::unexpected<Error> complain_of_equal_sign() const {
    const std::string number = now().kind == WordKind::number ? printable(now().text, 40) : "0.75";
    return complain(fmt::format("\"=\" is not known; write \"== {}\"", number));
  }

  Result<Tolerance> checked(Tolerance tolerance) const {
    const auto exact = [](const Bound& bound) { return bound.kind == Bound::Kind::exact; };
    bool any = false;
    for (const std::vector<Bound>& all_of : tolerance.any_of)
      any |= std::any_of(all_of.begin(), all_of.end(), exact);
    const bool alone = tolerance.any_of.size() == 1 && tolerance.any_of.front().size() == 1;
    if (!alone && bounds_error(tolerance))
      return complain("\"<= 2%\", the bound of a mean relative error, stands alone");
    if (!any || alone) return tolerance;
    return complain("\"exact\" stands alone: either \"exact\", every value the same, or \"" +
                    without_exact(tolerance) + "\"");
  }

  static std::string without_exact(Tolerance tolerance) {
    for (std::vector<Bound>& all_of : tolerance.any_of)
      std::erase_if(all_of, [](const Bound& bound) { return bound.kind == Bound::Kind::exact; });
    std::erase_if(tolerance.any_of, [](const std::vector<Bound>& all_of) { return all_of.empty(); });
    return tolerance.any_of.empty() ? "±0.01" : to_string(tolerance);
  }

  std::string_view text_;
  std::vector<ToleranceWord> words_;
  std::size_t next_ = 0;
};

}  // namespace

Result<Tolerance> parse_tolerance(std::string_view text) {
  if (text.size() > longest_text)
    return fail("tolerance \"" + printable(text, 80) + "\": longer than " + std::to_string(longest_text) +
                " bytes");
  return ToleranceParser(text).parse();
}

}  // namespace gate
