#include <algorithm>
#include <cmath>
#include <limits>

#include "gate/judge/noise.h"
#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"
#include "judge/series/limits.h"

namespace gate::judge {

namespace {

// One value that is compared, over the baseline's runs, and how far a candidate may be from it.
struct Spot {
  std::vector<double> deltas;  // of the runs from their mean; exactly 0 where all are alike
  double mean = 0;
  double below = 0, above = 0;  // infinite on a side that is not bounded
};

Spot spot_of(const Tolerance& tolerance, const std::vector<Number>& runs) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const Number mean = mean_of(runs);
  Spot spot{{}, to_double(mean), -unbounded, -unbounded};
  for (const Number& run : runs) spot.deltas.push_back(to_double(minus(run, mean)));
  for (const Interval& interval : limits_of(tolerance, mean)) {
    const double below = interval.low ? to_double(minus(mean, *interval.low)) : unbounded;
    const double above = interval.high ? to_double(minus(*interval.high, mean)) : unbounded;
    spot.below = std::max(spot.below, below);
    spot.above = std::max(spot.above, above);
  }
  return spot;
}

std::vector<Number> baselines_at(const ReferenceWindow& yardstick, std::int64_t number) {
  std::vector<Number> values;
  for (const NumericSeries& line : yardstick.runs)
    if (const Point* point = line.find(number)) values.push_back(point->value);
  return values;
}

std::vector<Number> reduced_values(const Rule& rule, const ReferenceWindow& yardstick) {
  std::vector<Number> values;
  for (const NumericSeries& line : yardstick.runs)
    if (const auto reduced = reduced_value(rule, yardstick, line)) values.push_back(*reduced);
  return values;
}

std::vector<Spot> spots_of(const Rule& rule, const ReferenceWindow& yardstick) {
  if (rule.reduce != Reduce::each) return {spot_of(rule.tolerance, reduced_values(rule, yardstick))};
  std::vector<Spot> spots;
  for (const std::int64_t number : yardstick.window)
    spots.push_back(spot_of(rule.tolerance, baselines_at(yardstick, number)));
  return spots;
}

bool is_relative(const Tolerance& tolerance) {
  return std::all_of(tolerance.any_of.begin(), tolerance.any_of.end(), [](const std::vector<Bound>& all_of) {
    return std::all_of(all_of.begin(), all_of.end(),
                       [](const Bound& bound) { return bound.kind == Bound::Kind::relative; });
  });
}

void as_shares(Spot& spot) {
  const double whole = std::fabs(spot.mean);
  for (double& delta : spot.deltas) delta /= whole;
  spot.below /= whole;
  spot.above /= whole;
}

std::optional<double> spread_of(const std::vector<Spot>& spots) {
  double squares = 0;
  for (const Spot& spot : spots) {
    const std::optional<double> deviation = deviation_of(spot.deltas);
    if (!deviation) return std::nullopt;
    squares += *deviation * *deviation;
  }
  return std::sqrt(squares / static_cast<double>(spots.size()));
}

double rate_of(const Spot& spot, double s, Runs runs) {
  return std::min(1.0, false_failure_rate(spot.below, s, runs) + false_failure_rate(spot.above, s, runs));
}

bool has_two_sides(const Spot& spot) { return std::isfinite(spot.below) && std::isfinite(spot.above); }

// The side from which a regression has the longer way to the limit.
double wider_side(const Spot& spot) {
  return has_two_sides(spot) ? std::max(spot.below, spot.above) : std::min(spot.below, spot.above);
}

void fill(Noise& noise, const std::vector<Spot>& spots) {
  for (const Spot& spot : spots) noise.allowed = std::max(noise.allowed, wider_side(spot));
  noise.one_sided = std::none_of(spots.begin(), spots.end(), has_two_sides);
  noise.s = spread_of(spots);
  if (!noise.s) return;
  std::vector<double> rates;
  for (const Spot& spot : spots) rates.push_back(rate_of(spot, *noise.s, noise.runs));
  noise.rate = any_of(rates);
  noise.caught = noise.confirm == Confirm::yes ? smallest_confirmed(noise.allowed, *noise.s, noise.runs)
                                               : smallest_caught(noise.allowed, *noise.s, noise.runs);
}

Noise noise_of(const Target& target, Runs runs, Confirm confirm) {
  const Rule& rule = *target.rule;
  const ReferenceWindow yardstick = make_yardstick(target);
  Noise noise;
  noise.rule = rule.name;
  noise.metric = target.metric.name;
  noise.kind = target.metric.kind;
  noise.runs = runs;
  noise.confirm = confirm;
  noise.tolerance = to_string(rule.tolerance);
  noise.relative = is_relative(rule.tolerance);
  noise.problem = yardstick.problem;
  noise.runs.baseline = static_cast<int>(yardstick.runs.size());
  if (target.ranks.size() == 1) noise.rank = target.ranks.front();
  if (!noise.relative) noise.unit = target.metric.unit;
  noise.numbered = yardstick.numbered;
  if (noise.problem) return noise;
  std::vector<Spot> spots = spots_of(rule, yardstick);
  const bool zero = std::any_of(spots.begin(), spots.end(), [](const Spot& spot) { return spot.mean == 0; });
  if (noise.relative && zero) noise.problem = remark::ZeroBaseline{};
  if (noise.relative) std::for_each(spots.begin(), spots.end(), as_shares);
  if (!noise.problem) fill(noise, spots);
  return noise;
}

}  // namespace

std::vector<Noise> assess(std::span<const Rule> rules, const MetricTable& metrics, const Reference& reference,
                          std::string_view platform, int candidate_runs, Confirm confirm) {
  std::vector<Noise> all;
  for (const Target& target : make_plan(rules, metrics, reference, platform).targets) {
    if (target.open() || !needs_baseline(target.rule->tolerance)) continue;
    const bool pooled = confirm == Confirm::no || target.metric.kind == MetricKind::speed;
    all.push_back(noise_of(target, {1, pooled ? candidate_runs : 1}, pooled ? confirm : Confirm::no));
  }
  return all;
}

}  // namespace gate::judge
