#include "judge/series/partial_reduction.h"

namespace gate::judge {

namespace {

bool never_negative(const Metric& metric) {
  return metric.kind == MetricKind::speed || metric.kind == MetricKind::memory;
}

}  // namespace

void PartialReduction::see(const Number& value) {
  ++seen_;
  sum_ = sum_ ? plus(*sum_, value) : value;
  if (!least_ || compare(value, *least_) < 0) least_ = value;
  if (!most_ || compare(value, *most_) > 0) most_ = value;
}

Interval PartialReduction::reachable_mean(const Rule& rule, const Metric& metric, std::int64_t n) const {
  Interval mean;
  const bool positive = never_negative(metric) && !is_negative(*least_);
  const bool capped = rule.cap && compare(*most_, number(*rule.cap)) <= 0;
  if (positive) mean.low = over(*sum_, n);
  if (capped) mean.high = over(plus(*sum_, times(number(*rule.cap), {n - seen_, 0})), n);
  return mean;
}

Interval PartialReduction::reachable(const Rule& rule, const Metric& metric, std::int64_t n) const {
  if (seen_ == 0 || n < seen_) return {};
  if (rule.reduce == Reduce::max) return {most_, std::nullopt};
  if (rule.reduce == Reduce::min) return {std::nullopt, least_};
  return rule.reduce == Reduce::mean ? reachable_mean(rule, metric, n) : Interval{};
}

bool out_of_reach(const Interval& reachable, const Limits& limits) {
  return (reachable.low && all_below(limits, *reachable.low)) ||
         (reachable.high && all_above(limits, *reachable.high));
}

}  // namespace gate::judge
