#include "judge/drift.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/reduce.h"
#include "judge/words.h"

namespace gate::judge {

namespace {

constexpr double many_times = 1.5;             // from here on a ratio says more than a percentage
constexpr std::size_t enough_for_a_sign = 10;  // see bias()

struct StepDifference {
  std::int64_t number = 0;
  Number size;  // not zero
};

// Return `mean of steps 6-15`.
std::string window_text(const Trial& trial) {
  return std::string(to_string(trial.rule().reduce)) + " of " +
         numbers_text(trial.yardstick.window, trial.yardstick.numbered);
}

std::string drift_text(const Number& actual, const Number& baseline) {
  const std::string percent = percent_text(minus(actual, baseline), baseline);
  if (percent.empty()) return "";
  const double ratio = to_double(actual) / to_double(baseline);
  if (ratio >= many_times) return fmt::format("{:.{}f} times the baseline", ratio, ratio < 10 ? 1 : 0);
  const bool above = percent.starts_with('+');
  return percent.substr(1) + (above ? " above the baseline" : " below the baseline");
}

// Return the value that went furthest in the good direction.
std::optional<Deviation> best_of(const Trial& trial, Bound::Side good) {
  if (trial.rule().reduce != Reduce::each) return trial.comparison.worst;
  std::optional<Deviation> best;
  const Line& baseline = trial.yardstick.variants.front().line;
  for (const std::int64_t number : trial.yardstick.window) {
    const Point *a = trial.line.find(number), *b = baseline.find(number);
    if (a == nullptr || b == nullptr) continue;
    const Number gain = good == Bound::Side::upper ? minus(a->value, b->value) : minus(b->value, a->value);
    const Number most = best ? magnitude(minus(best->actual, *best->baseline)) : judge::number(Decimal{});
    if (compare(gain, most) > 0) best = Deviation{number, b->value, a->value, {}, a->file, a->line};
  }
  return best;
}

std::vector<StepDifference> differences_of(const Trial& trial) {
  std::vector<StepDifference> all;
  const Line& baseline = trial.yardstick.variants.front().line;
  for (const std::int64_t number : trial.yardstick.window) {
    const Point *a = trial.line.find(number), *b = baseline.find(number);
    if (a != nullptr && b != nullptr && compare(a->value, b->value) != 0)
      all.push_back({number, minus(a->value, b->value)});
  }
  return all;
}

bool share_one_sign(const std::vector<StepDifference>& all) {
  return std::all_of(all.begin(), all.end(), [&](const StepDifference& difference) {
    return is_negative(difference.size) == is_negative(all.front().size);
  });
}

// Return the median of the window, of several runs the mean of theirs.
Number median_of_runs(const std::vector<Line>& runs, const std::vector<std::int64_t>& window) {
  std::vector<Number> medians;
  for (const Line& run : runs)
    if (const auto median = reduce(Reduce::median, values_at(run, window))) medians.push_back(*median);
  return mean_of(medians);
}

std::vector<std::int64_t> steps_out_of_bounds(const Trial& trial) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t number : trial.yardstick.window)
    if (const Point* point = trial.line.find(number))
      if (!within(trial.comparison.worst->limits, point->value)) numbers.push_back(number);
  return numbers;
}

}  // namespace

std::string bias(const Trial& trial) {
  const Rule& rule = trial.rule();
  if (!trial.against_baseline() || trial.status != CheckStatus::pass || rule.reduce != Reduce::each ||
      side_of(rule.tolerance) != Bound::Side::both || trial.yardstick.variants.size() != 1)
    return "";
  const std::vector<StepDifference> all = differences_of(trial);
  if (all.size() < enough_for_a_sign || !share_one_sign(all)) return "";
  std::vector<std::int64_t> numbers;
  std::vector<Number> sizes;
  for (const StepDifference& difference : all) {
    numbers.push_back(difference.number);
    sizes.push_back(difference.size);
  }
  return fmt::format("all {} differences are {} the baseline ({}, mean {})", all.size(),
                     is_negative(sizes.front()) ? "below" : "above",
                     numbers_text(numbers, trial.yardstick.numbered), signed_text(mean_of(sizes)));
}

std::string move_for_the_better(const Trial& trial) {
  const Bound::Side side = side_of(trial.rule().tolerance);
  if (!trial.against_baseline() || trial.status != CheckStatus::pass || side == Bound::Side::both) return "";
  const auto best = best_of(trial, side == Bound::Side::upper ? Bound::Side::lower : Bound::Side::upper);
  if (!best || !best->baseline) return "";
  if (within(limits_of(mirrored(trial.rule().tolerance), best->baseline), best->actual)) return "";
  const std::string distance = drift_text(best->actual, *best->baseline);
  if (distance.empty()) return "";
  const bool one_by_one = trial.rule().reduce == Reduce::each;
  const std::string where =
      one_by_one ? number_text(best->number, trial.yardstick.numbered) : window_text(trial);
  return where + ": " + text(best->actual) + " against " + text(*best->baseline) + ", " + distance +
         ": re-record?";
}

std::string stall(const Trial& trial) {
  const Rule& rule = trial.rule();
  const bool numbered = trial.yardstick.numbered != Numbering::time;
  if (!trial.against_baseline() || !numbered || rule.reduce != Reduce::mean || !trial.comparison.worst ||
      trial.comparison.misses == 0)
    return "";
  const Number baseline = median_of_runs(trial.yardstick.runs, trial.yardstick.window);
  const Number actual = median_of_runs({trial.line}, trial.yardstick.window);
  const std::string median = "median " + percent_text(minus(actual, baseline), baseline);
  if (!within(limits_of(rule.tolerance, baseline), actual)) return median + ", no stall";
  const std::vector<std::int64_t> slow = steps_out_of_bounds(trial);
  if (slow.empty()) return "the " + median + " passes";
  return "a stall: the " + median + " passes, " +
         (trial.target.metric.kind == MetricKind::speed ? "slow at " : "off at ") +
         numbers_text(slow, trial.yardstick.numbered);
}

}  // namespace gate::judge
