#include "render/words/formula_words.h"

#include "gate/model/numbers/decimal.h"
#include "gate/words/values.h"

namespace gate::render {

namespace {

using words::value_text;

std::string number_words(const std::optional<Decimal>& number) {
  return number ? number->without_zeros().to_string() : "?";
}

bool is_percentage(const Bound& bound) { return bound.kind == Bound::Kind::relative; }

// `0.01`, `5 %`
std::string amount_words(const Bound& bound) {
  if (!is_percentage(bound)) return bound.amount.to_string();
  return Decimal{bound.amount.coefficient, bound.amount.exponent + 2}.without_zeros().to_string() + " %";
}

// The amount itself, or that percentage of |b|.
std::optional<Decimal> room(const Bound& bound, const Decimal& b) {
  return is_percentage(bound) ? multiply(b.abs(), bound.amount) : bound.amount;
}

std::string truth(bool holds) { return holds ? " is true" : " is false"; }

std::string two_sided(const Bound& bound, const FormulaOperands& x, const Decimal& a, const Decimal& b) {
  std::optional<Decimal> distance = subtract(a, b);
  if (distance) distance = distance->abs();
  const std::optional<Decimal> most = room(bound, b);
  const bool within = x.holds.value_or(distance && most && *distance <= *most);
  const std::string limit =
      amount_words(bound) +
      (is_percentage(bound) ? " of |" + value_text(x.baseline) + "| = " + number_words(most) : "");
  return "|" + value_text(x.actual) + " - " + value_text(x.baseline) +
         "| = " + (distance ? distance->to_string() : "?") + (within ? " <= " : " > ") + limit;
}

std::string one_sided(const Bound& bound, const FormulaOperands& x, const Decimal& a, const Decimal& b) {
  const bool lower = bound.side == Bound::Side::lower;
  const std::optional<Decimal> most = room(bound, b);
  const std::optional<Decimal> limit = !most ? most : lower ? subtract(b, *most) : add(b, *most);
  const bool holds = x.holds.value_or(limit && (lower ? a >= *limit : a <= *limit));
  const std::string one =
      is_percentage(bound) && b.is_negative() ? " of |" + value_text(x.baseline) + "|" : "";
  return value_text(x.actual) + (lower ? " >= " : " <= ") + value_text(x.baseline) + (lower ? " - " : " + ") +
         amount_words(bound) + one + " = " + (x.limit ? value_text(x.limit) : number_words(limit)) +
         truth(holds);
}

std::string against_constant(const Bound& bound, const FormulaOperands& x, const Decimal& a) {
  const bool is_error = bound.kind == Bound::Kind::error;
  const bool computed = compares(a, is_error ? Bound::Kind::at_most : bound.kind, bound.amount);
  return value_text(x.actual) + " " + to_string(bound) + truth(x.holds.value_or(computed));
}

std::string or_nothing(const std::string& text) { return text.empty() ? "nothing" : text; }

std::string bound_words(const Bound& bound, const FormulaOperands& x) {
  if (!is_finite(x.actual))
    return "actual " + or_nothing(value_text(x.actual)) + ": never within a tolerance";
  const Decimal& a = x.actual->number;
  if (bound.kind == Bound::Kind::error || !needs_baseline({{{bound}}})) return against_constant(bound, x, a);
  if (!is_finite(x.baseline))
    return "baseline " + or_nothing(words::baseline_text(x.baseline)) + ": nothing to compare " +
           value_text(x.actual) + " with";
  const Decimal& b = x.baseline->number;
  if (bound.kind == Bound::Kind::exact)
    return value_text(x.actual) + " == " + value_text(x.baseline) + truth(x.holds.value_or(a == b));
  return bound.side == Bound::Side::both ? two_sided(bound, x, a, b) : one_sided(bound, x, a, b);
}

}  // namespace

std::vector<std::string> formula(const Tolerance& tolerance, const FormulaOperands& operands) {
  const FormulaOperands computed{operands.actual, operands.baseline};
  const bool is_one_bound = tolerance.any_of.size() == 1 && tolerance.any_of.front().size() == 1;
  std::vector<std::string> lines;
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    for (const Bound& bound : all_of) {
      const std::string link = lines.empty() ? "" : &bound == all_of.data() ? "or " : "and ";
      lines.push_back(link + bound_words(bound, is_one_bound ? operands : computed));
    }
  return lines;
}

}  // namespace gate::render
