#include "judge/rules/check_evaluation.h"

#include <algorithm>
#include <limits>

#include "judge/series/reduce.h"

namespace gate::judge {

namespace {

constexpr std::size_t enough_for_a_sign = 10;  // see bias()

struct StepDifference {
  std::int64_t number = 0;
  Number size;  // not zero
};

// Return the value that went furthest in the good direction.
std::optional<Deviation> best_of(const CheckEvaluation& evaluation, Bound::Side good) {
  if (evaluation.rule().reduce != Reduce::each) return evaluation.comparison.worst;
  std::optional<Deviation> best;
  const NumericSeries& baseline = evaluation.reference.variants.front().series;
  for (const std::int64_t number : evaluation.reference.window) {
    const Point *a = evaluation.series.find(number), *b = baseline.find(number);
    if (a == nullptr || b == nullptr) continue;
    const Number gain = good == Bound::Side::upper ? minus(a->value, b->value) : minus(b->value, a->value);
    const Number most = best ? magnitude(minus(best->actual, *best->baseline)) : judge::number(Decimal{});
    if (compare(gain, most) > 0) best = Deviation{number, b->value, a->value, {}, a->file, a->line};
  }
  return best;
}

std::vector<StepDifference> differences_of(const CheckEvaluation& evaluation) {
  std::vector<StepDifference> all;
  const NumericSeries& baseline = evaluation.reference.variants.front().series;
  for (const std::int64_t number : evaluation.reference.window) {
    const Point *a = evaluation.series.find(number), *b = baseline.find(number);
    if (a != nullptr && b != nullptr && compare(a->value, b->value) != 0)
      all.push_back({number, minus(a->value, b->value)});
  }
  return all;
}

// Return the median of the window, of several runs the mean of theirs.
Number median_of_runs(const std::vector<NumericSeries>& runs, const std::vector<std::int64_t>& window) {
  std::vector<Number> medians;
  for (const NumericSeries& run : runs)
    if (const auto median = reduce(Reduce::median, values_at(run, window))) medians.push_back(*median);
  return mean_of(medians);
}

std::vector<std::int64_t> steps_out_of_bounds(const CheckEvaluation& evaluation) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t number : evaluation.reference.window)
    if (const Point* point = evaluation.series.find(number))
      if (!within(evaluation.comparison.worst->limits, point->value)) numbers.push_back(number);
  return numbers;
}

// Return on which side all differences lie where values that are compared one by one pass, and at least ten
// of them differ from the baseline, all to the same side. Not for tolerances of one side, nor where `exact`
// chooses among several runs. Why ten: were both sides equally likely, n differences would all lie on one
// side with probability 2 * 2^-n, 0.2 % at ten (the sign test: Dixon and Mood, Journal of the American
// Statistical Association 41, 1946, 557-566). The test takes the differences for independent of each other,
// which the steps of a training are not: a note, never a verdict.
std::optional<Remark> bias(const CheckEvaluation& evaluation) {
  const Rule& rule = evaluation.rule();
  if (!evaluation.against_baseline() || evaluation.status != CheckStatus::pass ||
      rule.reduce != Reduce::each || side_of(rule.tolerance) != Bound::Side::both ||
      evaluation.reference.variants.size() != 1)
    return std::nullopt;
  const std::vector<StepDifference> all = differences_of(evaluation);
  if (all.size() < enough_for_a_sign) return std::nullopt;
  std::vector<std::int64_t> numbers;
  std::vector<Number> sizes;
  for (const StepDifference& difference : all) {
    if (is_negative(difference.size) != is_negative(all.front().size)) return std::nullopt;
    numbers.push_back(difference.number);
    sizes.push_back(difference.size);
  }
  return remark::Bias{StepSet(numbers), !is_negative(sizes.front()), value_of(mean_of(sizes))};
}

// Return the passing value that lies further in the good direction than the tolerance would have allowed in
// the bad one; of several the one that went furthest.
std::optional<Remark> move_for_the_better(const CheckEvaluation& evaluation) {
  const Rule& rule = evaluation.rule();
  const Bound::Side side = side_of(rule.tolerance);
  if (!evaluation.against_baseline() || evaluation.status != CheckStatus::pass || side == Bound::Side::both)
    return std::nullopt;
  const auto best = best_of(evaluation, side == Bound::Side::upper ? Bound::Side::lower : Bound::Side::upper);
  if (!best || !best->baseline) return std::nullopt;
  if (within(limits_of(mirrored(rule.tolerance), best->baseline), best->actual)) return std::nullopt;
  const auto percent = percent_of(minus(best->actual, *best->baseline), *best->baseline);
  if (!percent) return std::nullopt;
  return remark::MoveForTheBetter{
      .step = rule.reduce == Reduce::each ? std::optional(best->number) : std::nullopt,
      .reduce = rule.reduce,
      .window = StepSet(evaluation.reference.window),
      .actual = value_of(best->actual),
      .baseline = value_of(*best->baseline),
      .percent = *percent,
      .ratio = to_double(best->actual) / to_double(*best->baseline)};
}

// Return, of a mean out of bounds, whether the median of the same window is too. The median of several
// baseline runs is the mean of their medians. Not of a loss, which does not stall.
std::optional<Remark> stall(const CheckEvaluation& evaluation) {
  const Rule& rule = evaluation.rule();
  const bool numbered = evaluation.reference.numbered != Numbering::time;
  if (!evaluation.against_baseline() || !numbered || rule.reduce != Reduce::mean || rule.is_rest_of_curve ||
      !evaluation.comparison.worst || evaluation.comparison.misses == 0)
    return std::nullopt;
  const Number baseline = median_of_runs(evaluation.reference.runs, evaluation.reference.window);
  const Number actual = median_of_runs({evaluation.series}, evaluation.reference.window);
  const bool passes = within(limits_of(rule.tolerance, baseline), actual);
  return remark::Stall{.median = passes ? remark::Stall::Median::passes : remark::Stall::Median::fails,
                       .percent = percent_of(minus(actual, baseline), baseline),
                       .slow = passes ? StepSet(steps_out_of_bounds(evaluation)) : StepSet(),
                       .kind = evaluation.target.metric.kind};
}

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// Return the first number at which the run differs from the baseline's run.
std::int64_t first_difference(const NumericSeries& baseline, const NumericSeries& run) {
  for (const Point& point : baseline.points())
    if (const Point* actual = run.find(point.number); actual && compare(actual->value, point.value) != 0)
      return point.number;
  return never;
}

std::optional<Remark> exactness(const CheckEvaluation& evaluation) {
  const Rule& rule = evaluation.rule();
  if (!evaluation.against_baseline() || rule.reduce != Reduce::each || !evaluation.together.empty() ||
      side_of(rule.tolerance) != Bound::Side::both)
    return std::nullopt;
  std::int64_t first = 0;
  for (const NumericSeries& baseline : evaluation.reference.runs)
    first = std::max(first, first_difference(baseline, evaluation.series));
  if (first == never && evaluation.status == CheckStatus::pass) return remark::Plain::bit_equal;
  if (evaluation.status == CheckStatus::pass && evaluation.comparison.misses == 0)
    return remark::NoLongerBitEqual{
        first, evaluation.reference.in_window(first) ? std::optional(rule.tolerance) : std::nullopt};
  const std::vector<NonFiniteValue>& non_finite = evaluation.coverage.non_finite;
  const std::int64_t first_miss =
      std::min(non_finite.empty() ? never : non_finite.front().sample.number,
               evaluation.comparison.first ? evaluation.comparison.first->number : never);
  if (first_miss == never || first >= first_miss) return std::nullopt;
  return remark::NoLongerBitEqual{first, std::nullopt};
}

// Return what lies outside the window and outside the tolerance of the same rules: nothing judges it here.
std::optional<Remark> off_unjudged(const CheckEvaluation& evaluation) {
  const Rule& rule = evaluation.rule();
  if (!evaluation.against_baseline() || evaluation.status != CheckStatus::pass ||
      rule.reduce != Reduce::each || !evaluation.together.empty() ||
      side_of(rule.tolerance) != Bound::Side::both)
    return std::nullopt;
  std::vector<std::int64_t> numbers;
  Number most = number(Decimal{});
  for (const Point& point : evaluation.series.points()) {
    if (evaluation.reference.in_window(point.number)) continue;
    std::optional<Number> least;  // of the variants, the nearest
    for (const ReferenceVariant& variant : evaluation.reference.variants) {
      const Point* const known = variant.series.find(point.number);
      if (known == nullptr || within(limits_of(rule.tolerance, known->value), point.value)) {
        least.reset();
        break;
      }
      const Number off = magnitude(minus(point.value, known->value));
      if (!least || compare(off, *least) < 0) least = off;
    }
    if (!least) continue;
    numbers.push_back(point.number);
    if (compare(*least, most) > 0) most = *least;
  }
  if (numbers.empty()) return std::nullopt;
  return remark::OffUnjudged{StepSet(numbers), value_of(most)};
}

bool is_zero_number(const Number& value) { return compare(value, number(Decimal{})) == 0; }

std::optional<Remark> zero_baseline(const CheckEvaluation& evaluation) {
  if (!evaluation.against_baseline() || !has_bound(evaluation.rule().tolerance, Bound::Kind::relative))
    return std::nullopt;
  const ReferenceVariant& variant = evaluation.reference.variants.front();
  if (variant.reduced && is_zero_number(*variant.reduced)) return remark::ZeroBaseline{};
  if (variant.reduced) return std::nullopt;
  std::vector<std::int64_t> zeros;
  for (const std::int64_t number : evaluation.reference.window)
    if (const Point* point = variant.series.find(number); point && is_zero_number(point->value))
      zeros.push_back(number);
  if (zeros.empty()) return std::nullopt;
  return remark::ZeroBaseline{StepSet(zeros)};
}

std::optional<Remark> misses_allowed(const CheckEvaluation& evaluation) {
  const WindowComparison& comparison = evaluation.comparison;
  if (evaluation.status != CheckStatus::pass || comparison.misses == 0) return std::nullopt;
  return remark::AllowedMisses{comparison.misses, comparison.compared, evaluation.rule().max_misses,
                               comparison.first->number};
}

std::optional<Remark> beyond(const CheckEvaluation& evaluation) {
  if (evaluation.coverage.beyond.empty() || bounds_every_value(evaluation.rule())) return std::nullopt;
  return remark::NotJudged{StepSet(evaluation.coverage.beyond)};
}

std::optional<Remark> thinned(const CheckEvaluation& evaluation) {
  return evaluation.is_thinned() && !evaluation.problem ? std::optional(left_by_profiler(evaluation))
                                                        : std::nullopt;
}

}  // namespace

std::vector<Remark> remarks_on(const CheckEvaluation& evaluation) {
  std::vector<Remark> remarks;
  for (const auto find : {thinned, exactness, off_unjudged, bias, move_for_the_better, stall, zero_baseline,
                          misses_allowed, beyond})
    if (std::optional<Remark> remark = find(evaluation)) remarks.push_back(std::move(*remark));
  return remarks;
}

}  // namespace gate::judge
