#include "judge/remarks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "judge/drift.h"
#include "judge/words.h"

namespace gate::judge {

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// Return the first number at which the run differs from the baseline's run.
std::int64_t first_difference(const Line& baseline, const Line& run) {
  for (const Point& point : baseline.points())
    if (const Point* actual = run.find(point.number); actual && compare(actual->value, point.value) != 0)
      return point.number;
  return never;
}

// Return the first number that is out of bounds or has no finite value.
std::int64_t first_trouble(const Trial& trial) {
  const std::vector<OddValue>& odd = trial.evidence.odd;
  const std::int64_t not_finite = odd.empty() ? never : odd.front().sample.number;
  return std::min(not_finite, trial.comparison.first ? trial.comparison.first->number : never);
}

std::string exactness(const Trial& trial) {
  const Rule& rule = trial.rule();
  if (!trial.against_baseline() || rule.reduce != Reduce::each ||
      side_of(rule.tolerance) != Bound::Side::both)
    return "";
  std::int64_t first = 0;
  for (const Line& baseline : trial.yardstick.runs)
    first = std::max(first, first_difference(baseline, trial.line));
  if (first == never && trial.status == CheckStatus::pass) return "bit-equal";
  if (trial.status == CheckStatus::pass && trial.comparison.misses == 0)
    return "within " + to_string(rule.tolerance) + ", no longer bit-equal from " +
           number_text(first, trial.yardstick.numbered);
  const std::int64_t trouble = first_trouble(trial);
  return trouble != never && first < trouble
             ? "no longer bit-equal from " + number_text(first, trial.yardstick.numbered)
             : "";
}

bool has_percentage(const Tolerance& tolerance) {
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    for (const Bound& bound : all_of)
      if (bound.kind == Bound::Kind::relative) return true;
  return false;
}

bool is_zero_number(const Number& value) { return compare(value, number(Decimal{})) == 0; }

std::string zero_baseline(const Trial& trial) {
  if (!trial.against_baseline() || !has_percentage(trial.rule().tolerance)) return "";
  const Variant& variant = trial.yardstick.variants.front();
  if (variant.reduced)
    return is_zero_number(*variant.reduced) ? "the baseline is 0, and so is a percentage of it" : "";
  std::vector<std::int64_t> zeros;
  for (const std::int64_t number : trial.yardstick.window)
    if (const Point* point = variant.line.find(number); point && is_zero_number(point->value))
      zeros.push_back(number);
  if (zeros.empty()) return "";
  return "the baseline is 0 at " + numbers_text(zeros, trial.yardstick.numbered) +
         ", and so is a percentage of it";
}

std::string allowed_misses_words(const Trial& trial) {
  const Comparison& comparison = trial.comparison;
  if (trial.status != CheckStatus::pass || comparison.misses == 0) return "";
  return fmt::format("{} of {} out of bounds, {} allowed, first at {}", comparison.misses,
                     comparison.compared, trial.rule().max_misses,
                     number_text(comparison.first->number, trial.yardstick.numbered));
}

std::string beyond_words(const Trial& trial) {
  const std::vector<std::int64_t>& numbers = trial.evidence.beyond;
  return numbers.empty() ? "" : numbers_text(numbers, trial.yardstick.numbered) + " not judged";
}

}  // namespace

std::vector<std::string> remarks_on(const Trial& trial) {
  std::vector<std::string> remarks;
  for (const auto look :
       {exactness, bias, move_for_the_better, stall, zero_baseline, allowed_misses_words, beyond_words})
    if (std::string remark = look(trial); !remark.empty()) remarks.push_back(std::move(remark));
  return remarks;
}

}  // namespace gate::judge
