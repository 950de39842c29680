#include "judge/rules/quantum.h"

#include <algorithm>

#include "judge/series/limits.h"

namespace gate::judge {

namespace {

constexpr std::int32_t coarsest = 9999;

std::vector<Number> compared_values(const ReferenceWindow& yardstick) {
  std::vector<Number> values;
  for (const Variant& variant : yardstick.variants) {
    const std::vector<Number> of_line = values_at(variant.line, yardstick.window);
    variant.reduced ? values.push_back(*variant.reduced)
                    : void(values.insert(values.end(), of_line.begin(), of_line.end()));
  }
  return values;
}

std::optional<Number> widest_allowance(const Rule& rule, const ReferenceWindow& yardstick) {
  std::optional<Number> widest;
  for (const Number& value : compared_values(yardstick)) {
    const std::optional<Number> allowed = allowance(rule.tolerance, value);
    if (allowed && (!widest || compare(*allowed, *widest) > 0)) widest = allowed;
  }
  return widest;
}

}  // namespace

std::int32_t finest_exponent(std::span<const Series* const> series) {
  std::int32_t finest = coarsest;
  for (const Series* one : series)
    for (const Sample& sample : one->samples())
      if (sample.value.is_finite()) finest = std::min(finest, sample.value.number.exponent);
  return finest;
}

std::vector<const Series*> baseline_series(const Target& target) {
  std::vector<const Series*> all;
  for (const ReferenceSeries* reference : target.references)
    for (const Series& series : reference->runs) all.push_back(&series);
  return all;
}

bool too_fine(const Rule& rule, const ReferenceWindow& yardstick, std::int32_t finest) {
  const std::optional<Number> widest = widest_allowance(rule, yardstick);
  return widest && compare(*widest, number(Decimal{})) > 0 &&
         compare(*widest, number(Decimal{1, finest})) < 0;
}

}  // namespace gate::judge
