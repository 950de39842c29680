#include "render/words/formula_words.h"

#include "gate/model/numbers/decimal.h"
#include "gate/words/values.h"

namespace gate::render {

namespace {

using words::value_text;

std::string decimal_words(const std::optional<Decimal>& number) {
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

Sentence truth(bool holds) { return holds ? say({" is true", " 成立"}) : say({" is false", " 不成立"}); }

Sentence two_sided(const Bound& bound, const FormulaOperands& x, const Decimal& a, const Decimal& b) {
  std::optional<Decimal> distance = subtract(a, b);
  if (distance) distance = distance->abs();
  const std::optional<Decimal> most = room(bound, b);
  const bool within = x.holds.value_or(distance && most && *distance <= *most);
  const std::string left = "|" + value_text(x.actual) + " - " + value_text(x.baseline) +
                           "| = " + (distance ? distance->to_string() : "?") + (within ? " <= " : " > ");
  if (!is_percentage(bound)) return as_is(left + amount_words(bound));
  return as_is(left) + say({"{} of |{}| = {}", "|{1}| 的 {0} = {2}"}, amount_words(bound),
                           value_text(x.baseline), decimal_words(most));
}

Sentence one_sided(const Bound& bound, const FormulaOperands& x, const Decimal& a, const Decimal& b) {
  const bool lower = bound.side == Bound::Side::lower;
  const std::optional<Decimal> most = room(bound, b);
  const std::optional<Decimal> limit = !most ? most : lower ? subtract(b, *most) : add(b, *most);
  const bool holds = x.holds.value_or(limit && (lower ? a >= *limit : a <= *limit));
  const bool is_of_size = is_percentage(bound) && b.is_negative();
  const std::string amount = amount_words(bound), left = value_text(x.actual) + (lower ? " >= " : " <= ") +
                                                         value_text(x.baseline) + (lower ? " - " : " + ");
  return as_is(left) +
         (is_of_size ? say({"{} of |{}|", "|{1}| 的 {0}"}, amount, value_text(x.baseline)) : as_is(amount)) +
         as_is(" = " + (x.limit ? value_text(x.limit) : decimal_words(limit))) + truth(holds);
}

Sentence against_constant(const Bound& bound, const FormulaOperands& x, const Decimal& a) {
  const bool is_error = bound.kind == Bound::Kind::error;
  const bool computed = compares(a, is_error ? Bound::Kind::at_most : bound.kind, bound.amount);
  return as_is(value_text(x.actual) + " " + to_string(bound)) + truth(x.holds.value_or(computed));
}

Sentence or_nothing(const Sentence& text) { return text.empty() ? say({"nothing", "没有值"}) : text; }

Sentence bound_words(const Bound& bound, const FormulaOperands& x) {
  if (!is_finite(x.actual))
    return say({"actual {}: never within a tolerance", "实际 {}：不可能在容差以内"},
               or_nothing(value_text(x.actual)));
  const Decimal& a = x.actual->number;
  if (bound.kind == Bound::Kind::error || !needs_baseline({{{bound}}})) return against_constant(bound, x, a);
  if (!is_finite(x.baseline))
    return say({"baseline {}: nothing to compare {} with", "基线 {}：无法与 {} 比较"},
               or_nothing(words::baseline_text(x.baseline)), value_text(x.actual));
  const Decimal& b = x.baseline->number;
  if (bound.kind == Bound::Kind::exact)
    return as_is(value_text(x.actual) + " == " + value_text(x.baseline)) + truth(x.holds.value_or(a == b));
  return bound.side == Bound::Side::both ? two_sided(bound, x, a, b) : one_sided(bound, x, a, b);
}

}  // namespace

std::vector<Sentence> formula(const Tolerance& tolerance, const FormulaOperands& operands) {
  const FormulaOperands computed{operands.actual, operands.baseline};
  const bool is_one_bound = tolerance.any_of.size() == 1 && tolerance.any_of.front().size() == 1;
  const bool fails_all = operands.holds == false;
  std::vector<Sentence> lines;
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    for (const Bound& bound : all_of) {
      const Sentence link = lines.empty()                           ? Sentence()
                            : &bound == all_of.data() && !fails_all ? say({"or ", "或 "})
                                                                    : say({"and ", "且 "});
      lines.push_back(link + bound_words(bound, is_one_bound ? operands : computed));
    }
  return lines;
}

}  // namespace gate::render
