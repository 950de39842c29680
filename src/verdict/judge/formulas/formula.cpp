// Recursive descent over the grammar of gate/judge/formula.h, and the units of formulas.
#include "gate/judge/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "gate/base/text.h"
#include "gate/base/utf8.h"

namespace gate::judge {

namespace {

constexpr std::size_t longest_formula = 1000;
constexpr int deepest = 50;
constexpr std::int32_t furthest_formula_exponent = 60;
constexpr std::string_view operands = "a number, a metric or \"(\"";

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return begins_name(c) || is_digit(c) || c == '.'; }

constexpr std::array<std::string_view, 3> told_names{"devices", "nodes", "seq_length"};
constexpr std::array<std::string_view, 2> told_by_type{"peak", "flops_per_token"};

bool in_type(char c) { return begins_name(c) || is_digit(c); }

class FormulaParser {
 public:
  explicit FormulaParser(std::string_view text) : text_(text) {}

  Result<Formula> parse() {
    GATE_TRY_STATUS(parse_sum());
    if (now(); next_ < text_.size()) return unexpected("an operator or the end");
    if (std::ranges::count(terms_, TermKind::metric, &Term::kind) == 0)
      return complain("it names no metric, so it is the same whatever a run does");
    return Formula{std::string(trim(text_)), std::move(terms_)};
  }

 private:
  struct Operator {
    char symbol;
    TermKind kind;
  };

  // Return the next character that is no blank, or NUL at the end.
  char now() {
    while (next_ < text_.size() && trim(text_.substr(next_, 1)).empty()) ++next_;
    return next_ < text_.size() ? text_[next_] : '\0';
  }

  std::size_t character() const { return 1 + static_cast<std::size_t>(begun_in(text_.substr(0, next_))); }

  tl::unexpected<Error> complain(const std::string& what) const {
    return fail("formula \"" + printable(text_, 80) + "\": " + what);
  }

  std::string found() {
    if (now(); next_ == text_.size()) return "nothing";
    std::size_t end = next_ + 1;
    while (end < text_.size() && (in_name(text_[next_]) ? in_name(text_[end]) : is_continuation(text_[end])))
      ++end;
    return '"' + printable(text_.substr(next_, end - next_), 40) + '"';
  }

  tl::unexpected<Error> unexpected(std::string_view wanted) {
    const std::string what = found();
    return complain(fmt::format("expected {} at character {}, found {}", wanted, character(), what));
  }

  bool takes(char symbol) {
    const bool is = now() == symbol;
    if (is) ++next_;
    return is;
  }

  std::string_view take_while(bool (*belongs)(char)) {
    const std::size_t begin = next_;
    while (next_ < text_.size() && belongs(text_[next_])) ++next_;
    return text_.substr(begin, next_ - begin);
  }

  void add_term(TermKind kind, std::size_t at) { terms_.push_back({kind, {}, "", "", at, false}); }

  Status parse_sum() {
    return parse_chain({{'+', TermKind::add}, {'-', TermKind::subtract}}, &FormulaParser::parse_product);
  }
  Status parse_product() {
    return parse_chain({{'*', TermKind::multiply}, {'/', TermKind::divide}}, &FormulaParser::parse_factor);
  }

  Status parse_chain(std::pair<Operator, Operator> operators, Status (FormulaParser::*parse_part)()) {
    GATE_TRY_STATUS((this->*parse_part)());
    while (now() == operators.first.symbol || now() == operators.second.symbol) {
      const std::size_t at = character();
      const TermKind kind = now() == operators.first.symbol ? operators.first.kind : operators.second.kind;
      ++next_;
      GATE_TRY_STATUS((this->*parse_part)());
      add_term(kind, at);
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
    if (takes('-')) return parse_factor().map([&] { add_term(TermKind::negate, at); });
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
    terms_.push_back({TermKind::number, *number, "", "", at, false});
    return {};
  }

  Status parse_metric() {
    Term term{TermKind::metric, {}, "", "", character(), false};
    term.metric = take_while(in_name);
    const bool is_call = takes('(');
    if (is_call && std::ranges::find(told_by_type, term.metric) != told_by_type.end()) {
      GATE_TRY(term.type, parse_type(term.metric));
      term.kind = TermKind::number;
    } else if (is_call) {
      GATE_TRY(term.case_name,
               parse_quoted("a case in quotes, as in " + printable(term.metric, 40) + "(\"case\"),"));
      term.is_beside = term.case_name.starts_with('@');
    } else if (std::ranges::find(told_names, term.metric) != told_names.end()) {
      term.kind = TermKind::number;
    }
    terms_.push_back(std::move(term));
    return {};
  }

  Result<std::string> parse_type(std::string_view name) {
    const std::size_t at = character();
    const bool is_peak = name == told_by_type[0];
    const std::string noun = is_peak ? "type of number" : "estimate";
    GATE_TRY(std::string type, parse_quoted(fmt::format("a {} in quotes, as in {}(\"{}\"),", noun, name,
                                                        is_peak ? "fp16" : "megatron")));
    if (std::ranges::all_of(type, in_type)) return type;
    return complain(fmt::format("\"{}\" at character {} is no {}; it is of letters, digits and _",
                                printable(type, 40), at, noun));
  }

  // Return what stands in quotes up to the closing parenthesis.
  Result<std::string> parse_quoted(const std::string& wanted) {
    const char quote = now();
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

// A unit is a product of powers.
struct Power {
  std::string name;
  int power = 0;
  bool operator==(const Power&) const = default;
};

// A product of powers: `tokens/s` is tokens^1 s^-1. No powers: no unit.
struct FormulaUnit {
  std::vector<Power> powers;  // in the order in which people wrote them
  bool open = false;          // a number had its part in it
};

bool same(const FormulaUnit& a, const FormulaUnit& b) {
  return std::ranges::is_permutation(a.powers, b.powers);
}

void multiply_by(FormulaUnit& unit, const std::string& name, int power) {
  const auto known = std::ranges::find(unit.powers, name, &Power::name);
  if (known == unit.powers.end()) return unit.powers.push_back({name, power});
  if ((known->power += power) == 0) unit.powers.erase(known);
}

FormulaUnit read_unit(std::string_view text) {
  FormulaUnit unit;
  int power = 1;
  for (const std::string_view part : split(text, '/')) {
    for (const std::string_view factor : split(part, '*'))
      if (const std::string_view name = trim(factor); !name.empty() && name != "1")
        multiply_by(unit, std::string(name), power);
    power = -1;
  }
  return unit;
}

std::string text_of(const FormulaUnit& unit) {
  std::string above, below;
  for (const auto& [name, power] : unit.powers)
    for (int i = 0; i < std::abs(power); ++i) {
      if (power > 0)
        above += (above.empty() ? "" : "*") + name;
      else
        below += "/" + name;
    }
  return above.empty() && !below.empty() ? "1" + below : above + below;
}

std::string shown(const FormulaUnit& unit) { return unit.powers.empty() ? "no unit" : text_of(unit); }

tl::unexpected<Error> complain(const Formula& formula, const std::string& what) {
  return fail("formula \"" + printable(formula.text, 80) + "\": " + what);
}

Result<FormulaUnit> sum(const Formula& formula, const Term& term, const FormulaUnit& a,
                        const FormulaUnit& b) {
  if (a.open) return b;
  if (b.open || same(a, b)) return a;
  return complain(formula,
                  fmt::format("\"{}\" at character {} stands between {} and {}",
                              term.kind == TermKind::add ? '+' : '-', term.character, shown(a), shown(b)));
}

// Replace the units of both operands, the last two, by that of the result.
Status combine_units(const Formula& formula, const Term& term, std::vector<FormulaUnit>& units) {
  const FormulaUnit b = units.back();
  units.pop_back();
  FormulaUnit& a = units.back();
  if (term.kind == TermKind::multiply || term.kind == TermKind::divide) {
    if (a.open || b.open) a = {{}, true};
    if (!a.open)
      for (const auto& [name, power] : b.powers)
        multiply_by(a, name, term.kind == TermKind::multiply ? power : -power);
    return {};
  }
  return sum(formula, term, a, b).map([&](FormulaUnit unit) { a = std::move(unit); });
}

Result<FormulaUnit> computed_unit(const Formula& formula, const MetricTable& metrics) {
  std::vector<FormulaUnit> units;
  for (const Term& term : formula.terms) {
    if (term.kind == TermKind::number)
      units.push_back({{}, true});
    else if (term.kind == TermKind::metric)
      units.push_back(read_unit(metrics.get(term.metric).unit));
    else if (term.kind != TermKind::negate)
      GATE_TRY_STATUS(combine_units(formula, term, units));
  }
  return units.back();
}

}  // namespace

const Term* Formula::open_term() const {
  const auto open =
      std::ranges::find_if(terms, [](const Term& term) { return term.is_told() && term.number.is_zero(); });
  return open == terms.end() ? nullptr : &*open;
}

void bind_numbers(Formula& formula, const std::function<Decimal(const Term&)>& told) {
  for (Term& term : formula.terms)
    if (term.is_told()) term.number = told(term);
}

std::string written(const Term& term) {
  const std::string& quoted = term.type.empty() ? term.case_name : term.type;
  return term.metric + (quoted.empty() ? "" : "(\"" + quoted + "\")");
}

Result<Formula> parse_formula(std::string_view text) {
  if (text.size() > longest_formula)
    return fail("formula \"" + printable(text, 80) + "\": longer than " + std::to_string(longest_formula) +
                " bytes");
  return FormulaParser(text).parse();
}

Result<std::string> unit_of(const Formula& formula, const MetricTable& metrics,
                            const std::optional<std::string>& declared) {
  GATE_TRY(const FormulaUnit unit, computed_unit(formula, metrics));
  if (!declared) return unit.open ? "" : text_of(unit);
  const bool any = unit.open || unit.powers.empty();
  if (any || same(read_unit(*declared), unit)) return *declared;
  const std::string said = declared->empty() ? "no unit" : printable(*declared, 40);
  return complain(formula, "it gives " + text_of(unit) + ", and the unit of the metric is " + said +
                               "; what converts is a number, as in \"* 1000\"");
}

Result<Numbering> numbering_of(const Formula& formula, const MetricTable& metrics) {
  const Term* first = nullptr;
  for (const Term& term : formula.terms) {
    if (term.kind != TermKind::metric) continue;
    if (first == nullptr) first = &term;
    const Numbering here = metrics.get(term.metric).numbered, there = metrics.get(first->metric).numbered;
    if (here != there)
      return complain(formula, first->metric + " is numbered by " + std::string(to_string(there)) + ", " +
                                   term.metric + " by " + std::string(to_string(here)));
    if (here == Numbering::time)
      return complain(formula,
                      term.metric + " is numbered by time: nothing else has a value at the same moment");
  }
  return metrics.get(first->metric).numbered;
}

}  // namespace gate::judge
