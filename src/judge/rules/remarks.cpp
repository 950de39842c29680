#include "judge/rules/remarks.h"

#include <algorithm>
#include <limits>

#include "judge/rules/drift.h"

namespace gate::judge {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// Return the first number at which the run differs from the baseline's run.
std::int64_t first_difference(const NumericSeries& baseline, const NumericSeries& run) {
  for (const Point& point : baseline.points())
    if (const Point* actual = run.find(point.number); actual && compare(actual->value, point.value) != 0)
      return point.number;
  return never;
}

// Return the first number that is out of bounds or has no finite value.
std::int64_t first_trouble(const CheckEvaluation& trial) {
  const std::vector<OddValue>& odd = trial.evidence.odd;
  const std::int64_t not_finite = odd.empty() ? never : odd.front().sample.number;
  return std::min(not_finite, trial.comparison.first ? trial.comparison.first->number : never);
}

std::optional<Remark> exactness(const CheckEvaluation& trial) {
  const Rule& rule = trial.rule();
  if (!trial.against_baseline() || rule.reduce != Reduce::each ||
      side_of(rule.tolerance) != Bound::Side::both)
    return std::nullopt;
  std::int64_t first = 0;
  for (const NumericSeries& baseline : trial.yardstick.runs)
    first = std::max(first, first_difference(baseline, trial.line));
  if (first == never && trial.status == CheckStatus::pass) return remark::Plain::bit_equal;
  if (trial.status == CheckStatus::pass && trial.comparison.misses == 0)
    return remark::NoLongerBitEqual{first, rule.tolerance};
  const std::int64_t trouble = first_trouble(trial);
  if (trouble == never || first >= trouble) return std::nullopt;
  return remark::NoLongerBitEqual{first, std::nullopt};
}

bool has_percentage(const Tolerance& tolerance) {
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    for (const Bound& bound : all_of)
      if (bound.kind == Bound::Kind::relative) return true;
  return false;
}

bool is_zero_number(const Number& value) { return compare(value, number(Decimal{})) == 0; }

std::optional<Remark> zero_baseline(const CheckEvaluation& trial) {
  if (!trial.against_baseline() || !has_percentage(trial.rule().tolerance)) return std::nullopt;
  const Variant& variant = trial.yardstick.variants.front();
  if (variant.reduced && is_zero_number(*variant.reduced)) return remark::ZeroBaseline{};
  if (variant.reduced) return std::nullopt;
  std::vector<std::int64_t> zeros;
  for (const std::int64_t number : trial.yardstick.window)
    if (const Point* point = variant.line.find(number); point && is_zero_number(point->value))
      zeros.push_back(number);
  if (zeros.empty()) return std::nullopt;
  return remark::ZeroBaseline{StepSet(zeros)};
}

std::optional<Remark> misses_allowed(const CheckEvaluation& trial) {
  const Comparison& comparison = trial.comparison;
  if (trial.status != CheckStatus::pass || comparison.misses == 0) return std::nullopt;
  return remark::AllowedMisses{comparison.misses, comparison.compared, trial.rule().max_misses,
                               comparison.first->number};
}

std::optional<Remark> beyond(const CheckEvaluation& trial) {
  if (trial.evidence.beyond.empty()) return std::nullopt;
  return remark::NotJudged{StepSet(trial.evidence.beyond)};
}

}  // namespace

std::vector<Remark> remarks_on(const CheckEvaluation& trial) {
  std::vector<Remark> remarks;
  for (const auto look : {exactness, bias, move_for_the_better, stall, zero_baseline, misses_allowed, beyond})
    if (std::optional<Remark> remark = look(trial)) remarks.push_back(std::move(*remark));
  return remarks;
}

}  // namespace gate::judge
