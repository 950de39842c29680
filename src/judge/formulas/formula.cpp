// Recursive descent over the grammar of gate/judge/formula.h.
#include "gate/judge/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "gate/base/text.h"

namespace gate::judge {

namespace {

using TermKind = Term::Kind;

constexpr std::size_t longest_formula = 1000;
constexpr int deepest = 50;
constexpr std::int32_t furthest_formula_exponent = 60;
constexpr std::string_view operands = "a number, a metric or \"(\"";

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return begins_name(c) || is_digit(c) || c == '.'; }
bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }  // of a UTF-8 character

class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  Result<Formula> parse() {
    if (Status sum = parse_sum(); !sum) return tl::unexpected(sum.error());
    if (now(); next_ < text_.size()) return unexpected("an operator or the end");
    const auto is_metric = [](const Term& term) { return term.kind == TermKind::metric; };
    if (std::none_of(terms_.begin(), terms_.end(), is_metric))
      return complain("it names no metric, so it is the same whatever a run does");
    return Formula{std::string(trim(text_)), std::move(terms_)};
  }

 private:
  struct Operator {
    char sign;
    TermKind kind;
  };

  // Return the next character that is no blank, or NUL at the end.
  char now() {
    while (next_ < text_.size() && trim(text_.substr(next_, 1)).empty()) ++next_;
    return next_ < text_.size() ? text_[next_] : '\0';
  }

  std::size_t character() const {
    const std::string_view before = text_.substr(0, next_);
    return 1 + static_cast<std::size_t>(
                   std::count_if(before.begin(), before.end(), [](char c) { return !goes_on(c); }));
  }

  tl::unexpected<Error> complain(const std::string& what) const {
    return fail("formula \"" + printable(text_, 80) + "\": " + what);
  }

  std::string found() {
    if (now(); next_ == text_.size()) return "nothing";
    std::size_t end = next_ + 1;
    while (end < text_.size() && (in_name(text_[next_]) ? in_name(text_[end]) : goes_on(text_[end]))) ++end;
    return '"' + printable(text_.substr(next_, end - next_), 40) + '"';
  }

  tl::unexpected<Error> unexpected(std::string_view wanted) {
    const std::string what = found();
    return complain(fmt::format("expected {} at character {}, found {}", wanted, character(), what));
  }

  bool takes(char sign) {
    const bool is = now() == sign;
    if (is) ++next_;
    return is;
  }

  std::string_view take_while(bool (*belongs)(char)) {
    const std::size_t begin = next_;
    while (next_ < text_.size() && belongs(text_[next_])) ++next_;
    return text_.substr(begin, next_ - begin);
  }

  void put(TermKind kind, std::size_t at) { terms_.push_back({kind, {}, "", "", at}); }

  Status parse_sum() {
    return parse_chain({{'+', TermKind::add}, {'-', TermKind::subtract}}, &FormulaParser::parse_product);
  }
  Status parse_product() {
    return parse_chain({{'*', TermKind::multiply}, {'/', TermKind::divide}}, &FormulaParser::parse_factor);
  }

  Status parse_chain(std::pair<Operator, Operator> operators, Status (FormulaParser::*parse_part)()) {
    GATE_TRY_STATUS((this->*parse_part)());
    while (now() == operators.first.sign || now() == operators.second.sign) {
      const std::size_t at = character();
      const TermKind kind = now() == operators.first.sign ? operators.first.kind : operators.second.kind;
      ++next_;
      GATE_TRY_STATUS((this->*parse_part)());
      put(kind, at);
    }
    return {};
  }

  Status parse_factor() {
    if (depth_ == deepest) return complain(fmt::format("it is nested more than {} deep", deepest));
    ++depth_;
    Status factor = parse_nested();
    --depth_;
    return factor;
  }

  Status parse_nested() {
    const char first = now();
    const std::size_t at = character();
    if (takes('-')) return parse_factor().map([&] { put(TermKind::negate, at); });
    if (takes('(')) return parse_sum().and_then([&] { return parse_close(); });
    if (is_digit(first) || first == '.') return parse_number();
    return begins_name(first) ? parse_metric() : Status(unexpected(operands));
  }

  Status parse_close() { return takes(')') ? Status() : Status(unexpected("an operator or \")\"")); }

  Status parse_number() {
    const std::size_t at = character(), begin = next_;
    take_while(in_name);
    const bool has_exponent = text_[next_ - 1] == 'e' || text_[next_ - 1] == 'E';
    if (has_exponent && next_ < text_.size() && (text_[next_] == '-' || text_[next_] == '+')) {
      ++next_;
      take_while(in_name);
    }
    const std::string_view word = text_.substr(begin, next_ - begin);
    const std::optional<Decimal> number = Decimal::parse(word);
    const std::string shown = '"' + printable(word, 60) + '"';
    if (!number) return complain(fmt::format("{} at character {} is not a number", shown, at));
    if (std::abs(number->exponent) > furthest_formula_exponent)
      return complain(fmt::format("{} at character {} is out of range", shown, at));
    terms_.push_back({TermKind::number, *number, "", "", at});
    return {};
  }

  Status parse_metric() {
    Term term{TermKind::metric, {}, "", "", character()};
    term.metric = take_while(in_name);
    if (takes('(')) {
      GATE_TRY(std::string name, parse_case(term.metric));
      term.case_name = std::move(name);
    }
    terms_.push_back(std::move(term));
    return {};
  }

  Result<std::string> parse_case(const std::string& metric) {
    const char quote = now();
    const std::string wanted = "a case in quotes, as in " + printable(metric, 40) + "(\"case\"),";
    if (quote != '"' && quote != '\'') return unexpected(wanted);
    const std::size_t end = text_.find(quote, next_ + 1);
    if (end == std::string_view::npos)
      return complain(fmt::format("no closing {} for the one at character {}", quote, character()));
    std::string name(text_.substr(next_ + 1, end - next_ - 1));
    if (name.empty()) return unexpected(wanted);
    next_ = end + 1;
    if (!takes(')')) return unexpected("\")\"");
    return name;
  }

  std::string_view text_;
  std::size_t next_ = 0;
  int depth_ = 0;
  std::vector<Term> terms_;
};

}  // namespace

Result<Formula> parse_formula(std::string_view text) {
  if (text.size() > longest_formula)
    return fail("formula \"" + printable(text, 80) + "\": longer than " + std::to_string(longest_formula) +
                " bytes");
  return FormulaParser(text).parse();
}

}  // namespace gate::judge
