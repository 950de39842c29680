#include "judge/rules/evaluate.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

namespace gate::judge {

namespace {

using TermKind = Term::Kind;

constexpr int most_digits = 15;
constexpr int least_digits = 6;

struct Quantity {
  double approximate = 0;
  std::optional<Decimal> exact;
};

Quantity quantity(const Decimal& number) { return {number.to_double(), number}; }

using ExactOperation = std::optional<Decimal> (*)(const Decimal&, const Decimal&);

std::optional<Decimal> exactly(ExactOperation operation, const Quantity& a, const Quantity& b) {
  return a.exact && b.exact ? operation(*a.exact, *b.exact) : std::nullopt;
}

Quantity computed(TermKind kind, const Quantity& a, const Quantity& b) {
  switch (kind) {
    case TermKind::add:
      return {a.approximate + b.approximate, exactly(add, a, b)};
    case TermKind::subtract:
      return {a.approximate - b.approximate, exactly(subtract, a, b)};
    case TermKind::multiply:
      return {a.approximate * b.approximate, exactly(multiply, a, b)};
    case TermKind::divide:
      return {a.approximate / b.approximate, std::nullopt};
    case TermKind::number:
    case TermKind::metric:
    case TermKind::negate:
      break;
  }
  return {};
}

ValueKind value_kind(double value) {
  if (std::isnan(value)) return ValueKind::nan;
  if (std::isfinite(value)) return ValueKind::finite;
  return value > 0 ? ValueKind::positive_infinity : ValueKind::negative_infinity;
}

Decimal rounded_double(double value) {
  Decimal number = Decimal::parse(fmt::format("{:.{}e}", value, most_digits - 1)).value_or(Decimal{});
  for (int digits = most_digits; digits > least_digits && number.coefficient % 10 == 0; --digits) {
    number.coefficient /= 10;
    ++number.exponent;
  }
  return number;
}

// Return the exact number where it can be read again, and so has no more digits than a printed one may have.
Decimal settled(const Quantity& result) {
  const bool readable = result.exact && Decimal::parse(result.exact->to_string());
  return readable ? *result.exact : rounded_double(result.approximate);
}

void apply(const Term& term, std::vector<Quantity>& stack) {
  const Quantity last = stack.back();
  if (term.kind == TermKind::negate) {
    stack.back() = computed(TermKind::subtract, quantity(Decimal{}), last);
    return;
  }
  stack.pop_back();
  stack.back() = computed(term.kind, stack.back(), last);
}

// Compute the formula of finite operands. What is not finite on the way is not mended by what follows.
Value computed(const Formula& formula, const std::vector<Sample>& operands) {
  std::vector<Quantity> stack;
  auto operand = operands.begin();
  for (const Term& term : formula.terms) {
    if (term.kind == TermKind::number)
      stack.push_back(quantity(term.number));
    else if (term.kind == TermKind::metric)
      stack.push_back(quantity((*operand++).value.number));
    else
      apply(term, stack);
    if (const ValueKind kind = value_kind(stack.back().approximate); kind != ValueKind::finite)
      return {kind, {}};
  }
  return {ValueKind::finite, settled(stack.back())};
}

}  // namespace

Value evaluate(const Formula& formula, const std::vector<Sample>& operands) {
  for (const Sample& operand : operands)
    if (!operand.value.is_finite()) return {operand.value.kind, {}};
  return computed(formula, operands);
}

}  // namespace gate::judge
