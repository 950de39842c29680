#include "judge/rules/drift.h"

#include <algorithm>

#include "judge/series/reduce.h"

namespace gate::judge {

namespace {

constexpr std::size_t enough_for_a_sign = 10;  // see bias()

struct StepDifference {
  std::int64_t number = 0;
  Number size;  // not zero
};

// Return the value that went furthest in the good direction.
std::optional<Deviation> best_of(const CheckEvaluation& trial, Bound::Side good) {
  if (trial.rule().reduce != Reduce::each) return trial.comparison.worst;
  std::optional<Deviation> best;
  const NumericSeries& baseline = trial.yardstick.variants.front().line;
  for (const std::int64_t number : trial.yardstick.window) {
    const Point *a = trial.line.find(number), *b = baseline.find(number);
    if (a == nullptr || b == nullptr) continue;
    const Number gain = good == Bound::Side::upper ? minus(a->value, b->value) : minus(b->value, a->value);
    const Number most = best ? magnitude(minus(best->actual, *best->baseline)) : judge::number(Decimal{});
    if (compare(gain, most) > 0) best = Deviation{number, b->value, a->value, {}, a->file, a->line};
  }
  return best;
}

std::vector<StepDifference> differences_of(const CheckEvaluation& trial) {
  std::vector<StepDifference> all;
  const NumericSeries& baseline = trial.yardstick.variants.front().line;
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
Number median_of_runs(const std::vector<NumericSeries>& runs, const std::vector<std::int64_t>& window) {
  std::vector<Number> medians;
  for (const NumericSeries& run : runs)
    if (const auto median = reduce(Reduce::median, values_at(run, window))) medians.push_back(*median);
  return mean_of(medians);
}

std::vector<std::int64_t> steps_out_of_bounds(const CheckEvaluation& trial) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t number : trial.yardstick.window)
    if (const Point* point = trial.line.find(number))
      if (!within(trial.comparison.worst->limits, point->value)) numbers.push_back(number);
  return numbers;
}

}  // namespace

std::optional<Remark> bias(const CheckEvaluation& trial) {
  const Rule& rule = trial.rule();
  if (!trial.against_baseline() || trial.status != CheckStatus::pass || rule.reduce != Reduce::each ||
      side_of(rule.tolerance) != Bound::Side::both || trial.yardstick.variants.size() != 1)
    return std::nullopt;
  const std::vector<StepDifference> all = differences_of(trial);
  if (all.size() < enough_for_a_sign || !share_one_sign(all)) return std::nullopt;
  std::vector<std::int64_t> numbers;
  std::vector<Number> sizes;
  for (const StepDifference& difference : all) {
    numbers.push_back(difference.number);
    sizes.push_back(difference.size);
  }
  return remark::Bias{StepSet(numbers), !is_negative(sizes.front()), value_of(mean_of(sizes))};
}

std::optional<Remark> move_for_the_better(const CheckEvaluation& trial) {
  const Rule& rule = trial.rule();
  const Bound::Side side = side_of(rule.tolerance);
  if (!trial.against_baseline() || trial.status != CheckStatus::pass || side == Bound::Side::both)
    return std::nullopt;
  const auto best = best_of(trial, side == Bound::Side::upper ? Bound::Side::lower : Bound::Side::upper);
  if (!best || !best->baseline) return std::nullopt;
  if (within(limits_of(mirrored(rule.tolerance), best->baseline), best->actual)) return std::nullopt;
  const auto percent = percent_of(minus(best->actual, *best->baseline), *best->baseline);
  if (!percent) return std::nullopt;
  return remark::MoveForTheBetter{
      .step = rule.reduce == Reduce::each ? std::optional(best->number) : std::nullopt,
      .reduce = rule.reduce,
      .window = StepSet(trial.yardstick.window),
      .actual = value_of(best->actual),
      .baseline = value_of(*best->baseline),
      .percent = *percent,
      .ratio = to_double(best->actual) / to_double(*best->baseline)};
}

std::optional<Remark> stall(const CheckEvaluation& trial) {
  const Rule& rule = trial.rule();
  const bool numbered = trial.yardstick.numbered != Numbering::time;
  if (!trial.against_baseline() || !numbered || rule.reduce != Reduce::mean || !trial.comparison.worst ||
      trial.comparison.misses == 0)
    return std::nullopt;
  const Number baseline = median_of_runs(trial.yardstick.runs, trial.yardstick.window);
  const Number actual = median_of_runs({trial.line}, trial.yardstick.window);
  const bool passes = within(limits_of(rule.tolerance, baseline), actual);
  return remark::Stall{.median = passes ? remark::Stall::Median::passes : remark::Stall::Median::fails,
                       .percent = percent_of(minus(actual, baseline), baseline),
                       .slow = passes ? StepSet(steps_out_of_bounds(trial)) : StepSet(),
                       .kind = trial.target.metric.kind};
}

}  // namespace gate::judge
