#include "judge/rules/paired_values.h"

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

Deviation deviation_at(const Rule& rule, const ReferenceVariant& variant, const Point& point) {
  Deviation deviation{point.number, std::nullopt, point.value, {}, point.file, point.line};
  if (const Point* baseline = variant.series.find(point.number)) deviation.baseline = baseline->value;
  deviation.limits = limits_of(rule.tolerance, deviation.baseline);
  return deviation;
}

void add_deviation(WindowComparison& comparison, const Deviation& deviation, Bound::Side side) {
  const bool out = deviation.out_of_bounds();
  ++comparison.compared;
  if (out) ++comparison.misses;
  if (out && !comparison.first) comparison.first = deviation;
  const std::optional<Deviation>& worst = comparison.worst;
  if (!worst || (out != worst->out_of_bounds()
                     ? out
                     : compare(deviation_to(deviation, side), deviation_to(*worst, side)) > 0))
    comparison.worst = deviation;
}

WindowComparison compare_each(const Rule& rule, const ReferenceWindow& reference,
                              const ReferenceVariant& variant, const NumericSeries& run) {
  WindowComparison comparison;
  const Bound::Side side = side_of(rule.tolerance);
  for (const Point& point : run.points())
    if (reference.numbered == Numbering::time || reference.in_window(point.number))
      add_deviation(comparison, deviation_at(rule, variant, point), side);
  return comparison;
}

WindowComparison compare_unfinished(const RuleTarget& target, const ReferenceWindow& reference,
                                    const ReferenceVariant& variant, const NumericSeries& run) {
  WindowComparison comparison;
  PartialReduction seen;
  const Intervals limits = limits_of(target.rule->tolerance, variant.reduced);
  for (const std::int64_t number : reference.window)
    if (const Point* point = run.find(number))
      seen.add(point->value, paired_value(*target.rule, variant.series, number));
  const Interval reachable = seen.reachable(*target.rule, target.metric, std::ssize(reference.window));
  if (out_of_reach(reachable, limits)) comparison.out_of_reach = limits;
  return comparison;
}

WindowComparison compare_reduced(const RuleTarget& target, const ReferenceWindow& reference,
                                 const ReferenceVariant& variant, std::span<const NumericSeries> runs) {
  const Rule& rule = *target.rule;
  const bool by_time = reference.numbered == Numbering::time;
  const Intervals limits = limits_of(rule.tolerance, variant.reduced);
  WindowComparison comparison;
  std::vector<Number> reduced;
  for (const NumericSeries& run : runs) {
    const std::vector<Number> values = by_time ? values_of(run) : values_at(run, reference.window);
    if (values.empty() || (!by_time && values.size() < reference.window.size()))
      return compare_unfinished(target, reference, variant, run);
    comparison.compared = static_cast<std::int64_t>(values.size());
    if (const std::optional<Number> actual = reduced_value(rule, reference, run)) reduced.push_back(*actual);
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
bool nearer(const WindowComparison& a, const WindowComparison& b) {
  if (!a.first || !b.first) return a.misses < b.misses;
  return a.first->number > b.first->number;
}

}  // namespace

WindowComparison compare(const RuleTarget& target, const ReferenceWindow& reference,
                         std::span<const NumericSeries> runs) {
  std::optional<WindowComparison> best;
  for (const ReferenceVariant& variant : reference.variants) {
    WindowComparison next = target.rule->reduce == Reduce::each
                                ? compare_each(*target.rule, reference, variant, mean_series(runs))
                                : compare_reduced(target, reference, variant, runs);
    const bool passes = !next.failed(*target.rule);
    if (!best || (best->failed(*target.rule) && (passes || nearer(next, *best)))) best = std::move(next);
  }
  return best.value_or(WindowComparison{});
}

}  // namespace gate::judge
