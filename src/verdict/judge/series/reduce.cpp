#include "judge/series/reduce.h"

#include <algorithm>
#include <array>
#include <vector>

namespace gate::judge {

namespace {

using ValueSpan = std::span<const Number>;

std::vector<Number> sorted(ValueSpan values) {
  std::vector<Number> copy(values.begin(), values.end());
  const auto less = [](const Number& a, const Number& b) { return compare(a, b) < 0; };
  std::ranges::stable_sort(copy, less);
  return copy;
}

std::optional<Number> median(ValueSpan values) {
  const std::vector<Number> all = sorted(values);
  const std::size_t half = all.size() / 2;
  return all.size() % 2 == 1 ? all[half] : divide(plus(all[half - 1], all[half]), 2);
}

std::optional<Number> harmonic_mean(ValueSpan values) {
  double sum = 0;
  for (const Number& value : values) {
    if (!(to_double(value) > 0)) return std::nullopt;
    sum += 1 / to_double(value);
  }
  return number(static_cast<double>(values.size()) / sum);
}

std::optional<Number> trimmed_mean(ValueSpan values) {
  const std::vector<Number> all = sorted(values);
  const std::size_t cut = all.size() / 10;
  return mean_of(ValueSpan(all).subspan(cut, all.size() - 2 * cut));
}

constexpr std::array<ReduceRow, 10> reduce_table{{
    {Reduce::each, "each value on its own", nullptr},
    {Reduce::mean, "the mean", [](ValueSpan values) { return std::optional(mean_of(values)); }},
    {Reduce::median, "the middle value; of an even count the mean of the middle two", median},
    {Reduce::min, "the smallest value",
     [](ValueSpan values) { return std::optional(sorted(values).front()); }},
    {Reduce::max, "the largest value", [](ValueSpan values) { return std::optional(sorted(values).back()); }},
    {Reduce::last, "the value with the highest number",
     [](ValueSpan values) { return std::optional(values.back()); }},
    {Reduce::p90,
     "the 90th percentile by nearest rank",  // with at least nine tenths of all values not above it
     [](ValueSpan values) { return std::optional(sorted(values)[(9 * values.size() + 9) / 10 - 1]); }},
    {Reduce::harmonic_mean, "the harmonic mean, of values above 0", harmonic_mean},
    {Reduce::trimmed_mean, "the mean without the floor(n/10) smallest and largest", trimmed_mean},
    {Reduce::mean_relative_error,
     "the mean of |run - baseline| / |baseline| over matching values, in percent", nullptr},
}};

}  // namespace

std::span<const ReduceRow> reduces() { return reduce_table; }

std::optional<Number> reduce(Reduce how, std::span<const Number> values) {
  const ReduceRow& row = reduce_table.at(static_cast<std::size_t>(how));
  return row.apply == nullptr || values.empty() ? std::nullopt : row.apply(values);
}

void PartialReduction::add(const Number& value, const std::optional<Number>& baseline) {
  ++seen_;
  if (baseline) errors_.add(value, *baseline);
  sum_ = sum_ ? plus(*sum_, value) : value;
  if (!least_ || compare(value, *least_) < 0) least_ = value;
  if (!most_ || compare(value, *most_) > 0) most_ = value;
}

Interval PartialReduction::reachable(const Rule& rule, const Metric& metric, std::int64_t n) const {
  if (seen_ == 0 || n < seen_) return {};
  if (rule.reduce == Reduce::max) return {most_, std::nullopt};
  if (rule.reduce == Reduce::min) return {std::nullopt, least_};
  if (rule.reduce == Reduce::mean_relative_error) return {errors_.mean(n), std::nullopt};
  if (rule.reduce != Reduce::mean) return {};
  Interval mean;
  const bool never_negative = metric.kind == MetricKind::speed || metric.kind == MetricKind::memory;
  const bool capped = rule.cap && compare(*most_, number(*rule.cap)) <= 0;
  if (never_negative && !is_negative(*least_)) mean.low = divide(*sum_, n);
  if (capped) mean.high = divide(plus(*sum_, times(number(*rule.cap), {n - seen_, 0})), n);
  return mean;
}

bool out_of_reach(const Interval& reachable, const Intervals& limits) {
  return (reachable.low && all_below(limits, *reachable.low)) ||
         (reachable.high && all_above(limits, *reachable.high));
}

}  // namespace gate::judge
