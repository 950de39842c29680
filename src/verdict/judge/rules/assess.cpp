#include <algorithm>
#include <cmath>
#include <limits>

#include "gate/judge/noise.h"
#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"
#include "judge/series/limits.h"
#include "judge/series/relative_errors.h"

namespace gate::judge {

namespace {

// One value that is compared, over the baseline's runs, and how far a candidate may be from it.
struct ComparedSpot {
  std::vector<double> deltas;  // of the runs from their mean; exactly 0 where all are alike
  double mean = 0;
  double below = 0, above = 0;  // infinite on a side that is not bounded
};

ComparedSpot spot_of(const Tolerance& tolerance, const std::vector<Number>& runs) {
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  const Number mean = mean_of(runs);
  ComparedSpot spot{{}, to_double(mean), -unbounded, -unbounded};
  for (const Number& run : runs) spot.deltas.push_back(to_double(minus(run, mean)));
  for (const Interval& interval : limits_of(tolerance, mean)) {
    const double below = interval.low ? to_double(minus(mean, *interval.low)) : unbounded;
    const double above = interval.high ? to_double(minus(*interval.high, mean)) : unbounded;
    spot.below = std::max(spot.below, below);
    spot.above = std::max(spot.above, above);
  }
  return spot;
}

std::vector<Number> baselines_at(const ReferenceWindow& reference, std::int64_t number) {
  std::vector<Number> values;
  for (const NumericSeries& run : reference.runs)
    if (const Point* point = run.find(number)) values.push_back(point->value);
  return values;
}

constexpr std::size_t fewest_for_error = 3;  // of two runs each is as far from the other

// Return the error of each run against the mean of the others, which is what a candidate's will be like.
std::vector<Number> errors_among(const ReferenceWindow& reference) {
  std::vector<Number> errors;
  if (reference.runs.size() < fewest_for_error) return errors;
  for (std::size_t i = 0; i < reference.runs.size(); ++i) {
    std::vector<NumericSeries> others = reference.runs;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const NumericSeries mean = mean_series(others);
    if (const auto error = mean_relative_error(reference.window, reference.runs[i], mean))
      errors.push_back(*error);
  }
  return errors;
}

// Too few errors say what is allowed, and nothing of the noise.
ComparedSpot error_spot(const Tolerance& tolerance, const ReferenceWindow& reference) {
  const std::vector<Number> errors = errors_among(reference);
  return errors.empty() ? ComparedSpot{{},
                                       0,
                                       std::numeric_limits<double>::infinity(),
                                       tolerance.any_of.front().front().amount.to_double()}
                        : spot_of(tolerance, errors);
}

std::vector<Number> reduced_values(const Rule& rule, const ReferenceWindow& reference) {
  std::vector<Number> values;
  for (const NumericSeries& run : reference.runs)
    if (const auto reduced = reduced_value(rule, reference, run)) values.push_back(*reduced);
  return values;
}

std::vector<ComparedSpot> spots_of(const Rule& rule, const ReferenceWindow& reference) {
  if (rule.reduce == Reduce::mean_relative_error) return {error_spot(rule.tolerance, reference)};
  if (rule.reduce != Reduce::each) return {spot_of(rule.tolerance, reduced_values(rule, reference))};
  std::vector<ComparedSpot> spots;
  for (const std::int64_t number : reference.window)
    spots.push_back(spot_of(rule.tolerance, baselines_at(reference, number)));
  return spots;
}

bool is_relative(const Tolerance& tolerance) {
  return std::ranges::all_of(tolerance.any_of, [](const std::vector<Bound>& all_of) {
    return std::ranges::all_of(
        all_of, [](Bound::Kind k) { return k == Bound::Kind::relative; }, &Bound::kind);
  });
}

void as_shares(ComparedSpot& spot) {
  const double whole = std::fabs(spot.mean);
  for (double& delta : spot.deltas) delta /= whole;
  spot.below /= whole;
  spot.above /= whole;
}

std::optional<double> spread_of(const std::vector<ComparedSpot>& spots) {
  double squares = 0;
  for (const ComparedSpot& spot : spots) {
    const std::optional<double> deviation = deviation_of(spot.deltas);
    if (!deviation) return std::nullopt;
    squares += *deviation * *deviation;
  }
  return std::sqrt(squares / static_cast<double>(spots.size()));
}

bool has_two_sides(const ComparedSpot& spot) {
  return std::isfinite(spot.below) && std::isfinite(spot.above);
}

void fill(Noise& noise, const std::vector<ComparedSpot>& spots) {
  // The wider side is the one from which a regression has the longer way.
  for (const ComparedSpot& spot : spots) {
    const auto [narrow, wide] = std::minmax(spot.below, spot.above);
    noise.allowed = std::max(noise.allowed, has_two_sides(spot) ? wide : narrow);
  }
  noise.one_sided = std::ranges::none_of(spots, has_two_sides);
  noise.s = spread_of(spots);
  if (!noise.s) return;
  std::vector<double> rates;
  for (const ComparedSpot& spot : spots)
    rates.push_back(std::min(1.0, false_failure_rate(spot.below, *noise.s, noise.runs) +
                                      false_failure_rate(spot.above, *noise.s, noise.runs)));
  noise.rate = any_of(rates);
  noise.caught = noise.confirm == Confirm::yes ? smallest_confirmed(noise.allowed, *noise.s, noise.runs)
                                               : smallest_caught(noise.allowed, *noise.s, noise.runs);
}

Noise noise_of(const RuleTarget& target, Runs runs, Confirm confirm) {
  const Rule& rule = *target.rule;
  const ReferenceWindow reference = reference_window_of(target);
  Noise noise;
  noise.rule = rule.name;
  noise.metric = target.metric.name;
  noise.kind = target.metric.kind;
  noise.runs = runs;
  noise.confirm = confirm;
  noise.tolerance = to_string(rule.tolerance);
  noise.relative = is_relative(rule.tolerance);
  noise.problem = reference.problem;
  noise.runs.baseline = static_cast<int>(reference.runs.size());
  if (target.ranks.size() == 1) noise.rank = target.ranks.front();
  if (!noise.relative) noise.unit = bounds_error(rule.tolerance) ? "%" : target.metric.unit;
  noise.numbered = reference.numbered;
  if (noise.problem) return noise;
  std::vector<ComparedSpot> spots = spots_of(rule, reference);
  noise.compared = spots.size();
  if (!is_side_by_side(rule.reduce))
    for (const double delta : spots.front().deltas) noise.values.push_back(spots.front().mean + delta);
  if (noise.relative && std::ranges::count(spots, 0, &ComparedSpot::mean) > 0)
    noise.problem = remark::ZeroBaseline{};
  if (noise.relative) std::ranges::for_each(spots, as_shares);
  if (!noise.problem) fill(noise, spots);
  return noise;
}

}  // namespace

std::vector<Noise> assess(std::span<const Rule> rules, const MetricTable& metrics, const Reference& reference,
                          std::string_view platform, int candidate_runs, Confirm confirm) {
  std::vector<Noise> all;
  for (const RuleTarget& target : make_plan(rules, metrics, reference, platform).targets) {
    if (target.open() || !needs_baseline(target.rule->tolerance)) continue;
    const bool pooled = confirm == Confirm::no || target.metric.kind == MetricKind::speed;
    all.push_back(noise_of(target, {1, pooled ? candidate_runs : 1}, pooled ? confirm : Confirm::no));
  }
  return all;
}

}  // namespace gate::judge
