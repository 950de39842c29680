#include "judge/rules/comparison.h"

#include <algorithm>

#include "judge/series/partial_reduction.h"
#include "judge/series/reduce.h"

namespace gate::judge {

namespace {

// Return how far the value went towards the side that the tolerance bounds.
Number deviation_to(const Deviation& deviation, Bound::Side side) {
  if (!deviation.baseline) return minus(number(Decimal{}), margin_of(deviation.limits, deviation.actual));
  const Number delta = minus(deviation.actual, *deviation.baseline);
  if (side == Bound::Side::both) return magnitude(delta);
  return side == Bound::Side::upper ? delta : minus(*deviation.baseline, deviation.actual);
}

bool worse(const Deviation& a, const Deviation& b, Bound::Side side) {
  if (a.out_of_bounds() != b.out_of_bounds()) return a.out_of_bounds();
  return compare(deviation_to(a, side), deviation_to(b, side)) > 0;
}

Deviation deviation_at(const Rule& rule, const Variant& variant, const Point& point) {
  Deviation deviation{point.number, std::nullopt, point.value, {}, point.file, point.line};
  if (const Point* baseline = variant.line.find(point.number)) deviation.baseline = baseline->value;
  deviation.limits = limits_of(rule.tolerance, deviation.baseline);
  return deviation;
}

void take(Comparison& comparison, const Deviation& deviation, Bound::Side side) {
  ++comparison.compared;
  if (deviation.out_of_bounds()) {
    ++comparison.misses;
    if (!comparison.first) comparison.first = deviation;
  }
  if (!comparison.worst || worse(deviation, *comparison.worst, side)) comparison.worst = deviation;
}

Comparison compare_each(const Rule& rule, const ReferenceWindow& yardstick, const Variant& variant,
                        const NumericSeries& run) {
  Comparison comparison;
  const Bound::Side side = side_of(rule.tolerance);
  for (const Point& point : run.points())
    if (yardstick.numbered == Numbering::time || yardstick.in_window(point.number))
      take(comparison, deviation_at(rule, variant, point), side);
  return comparison;
}

Comparison compare_unfinished(const Target& target, std::size_t wanted, const Limits& limits,
                              const std::vector<Number>& values) {
  Comparison comparison;
  PartialReduction progress;
  for (const Number& value : values) progress.see(value);
  const Interval reachable =
      progress.reachable(*target.rule, target.metric, static_cast<std::int64_t>(wanted));
  if (out_of_reach(reachable, limits)) comparison.out_of_reach = limits;
  return comparison;
}

Comparison compare_reduced(const Target& target, const ReferenceWindow& yardstick, const Variant& variant,
                           std::span<const NumericSeries> runs) {
  const Rule& rule = *target.rule;
  const bool by_time = yardstick.numbered == Numbering::time;
  const Limits limits = limits_of(rule.tolerance, variant.reduced);
  Comparison comparison;
  std::vector<Number> reduced;
  for (const NumericSeries& run : runs) {
    const std::vector<Number> values = by_time ? values_of(run) : values_at(run, yardstick.window);
    if (values.empty() || (!by_time && values.size() < yardstick.window.size()))
      return compare_unfinished(target, yardstick.window.size(), limits, values);
    comparison.compared = static_cast<std::int64_t>(values.size());
    if (const std::optional<Number> actual = reduce(rule.reduce, values)) reduced.push_back(*actual);
  }
  if (reduced.size() < runs.size()) {
    comparison.problem = remark::NoReducedValue{remark::Side::run, rule.reduce};
    return comparison;
  }
  comparison.worst = Deviation{0, variant.reduced, mean_of(reduced), limits, 0, 0};
  comparison.misses = comparison.worst->out_of_bounds() ? 1 : 0;
  return comparison;
}

// Tell whether a run is nearer to the variant of `a`.
bool nearer(const Comparison& a, const Comparison& b) {
  if (!a.first || !b.first) return a.misses < b.misses;
  return a.first->number > b.first->number;
}

}  // namespace

Comparison compare(const Target& target, const ReferenceWindow& yardstick,
                   std::span<const NumericSeries> runs) {
  std::optional<Comparison> best;
  for (const Variant& variant : yardstick.variants) {
    Comparison next = target.rule->reduce == Reduce::each
                          ? compare_each(*target.rule, yardstick, variant, mean_line(runs))
                          : compare_reduced(target, yardstick, variant, runs);
    const bool passes = !next.failed(*target.rule);
    if (!best || (best->failed(*target.rule) && (passes || nearer(next, *best)))) best = std::move(next);
  }
  return best.value_or(Comparison{});
}

}  // namespace gate::judge
