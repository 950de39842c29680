#include "judge/series/pairs.h"

#include <algorithm>
#include <cmath>

#include "gate/base/text.h"
#include "judge/series/limits.h"

namespace gate::judge {

namespace {

Number value_in(const Sample& sample) { return number(sample.value.number); }

Number delta_of(const Pair& pair) { return minus(value_in(*pair.actual), value_in(*pair.expected)); }

Miss miss_of_pair(const JudgeInput& question, const Pair& pair) {
  Miss miss{.number = pair.number, .baseline = Value{}, .actual = {}, .delta = {}};
  if (pair.expected) miss.baseline = pair.expected->value;
  if (pair.actual) miss.actual = pair.actual->value;
  if (pair.is_finite()) {
    miss.delta = value_of(delta_of(pair));
    miss.delta_percent = percent_of(delta_of(pair), value_in(*pair.expected));
  }
  if (!pair.actual || pair.actual->line == 0) return miss;
  miss.line = pair.actual->line;
  if (pair.actual->file < question.run.files.size()) miss.file = question.run.files[pair.actual->file];
  return miss;
}

// Return the pair that is farthest apart, among those that are not close if there are any.
const Pair* largest(const std::vector<Pair>& pairs) {
  const Pair* best = nullptr;
  const auto beyond = [](const Pair& a, const Pair& b) {
    if (a.close != b.close) return !a.close;
    return compare(magnitude(delta_of(a)), magnitude(delta_of(b))) > 0;
  };
  for (const Pair& pair : pairs)
    if (pair.is_finite() && (best == nullptr || beyond(pair, *best))) best = &pair;
  return best;
}

void fill_pair(Check& check, const Tolerance& tolerance, const Number& expected, const Number& actual) {
  const Limits limits = limits_of(tolerance, expected);
  const Number delta = minus(actual, expected);
  check.baseline = value_of(expected);
  check.actual = value_of(actual);
  check.delta = value_of(delta);
  check.delta_percent = percent_of(delta, expected);
  check.limit = ranges_of(limits);
  check.margin = value_of(margin_of(limits, actual));
}

// Add what is wrong with the pairs that are not close and have no number on one side.
void add_unpaired(std::vector<Remark>& remarks, const std::vector<Pair>& pairs) {
  std::vector<std::int64_t> absent, odd, unrecorded;
  for (const Pair& pair : pairs) {
    if (pair.close || pair.is_finite()) continue;
    const bool there = pair.actual.has_value();
    (!there ? absent : pair.actual->value.is_finite() ? unrecorded : odd).push_back(pair.number);
  }
  using Lack = remark::Unpaired::Lack;
  if (!odd.empty()) remarks.emplace_back(remark::Unpaired{Lack::not_finite, StepSet(odd)});
  if (!absent.empty()) remarks.emplace_back(remark::MissingSteps{StepSet(absent)});
  if (!unrecorded.empty()) remarks.emplace_back(remark::Unpaired{Lack::not_recorded, StepSet(unrecorded)});
}

bool only_absent(const std::vector<Pair>& pairs) {
  return std::ranges::all_of(pairs, [](const Pair& pair) { return pair.close || !pair.actual; });
}

void add_equal_without_value(std::vector<Remark>& remarks, const std::vector<Pair>& pairs) {
  std::vector<std::int64_t> numbers;
  for (const Pair& pair : pairs)
    if (pair.close && !pair.is_finite()) numbers.push_back(pair.number);
  if (!numbers.empty())
    remarks.emplace_back(remark::Unpaired{remark::Unpaired::Lack::nowhere, StepSet(numbers)});
}

// Return the file that the metric's values come from; of a rank, its own.
std::string file_of(const Comparing& comparing) {
  for (const ReferenceSeries& held : comparing.question.reference.series) {
    const Series& series = held.runs.front();
    if (series.metric() == comparing.metric && (!comparing.rank || series.rank() == comparing.rank))
      return held.path;
  }
  return "";
}

}  // namespace

bool Pair::is_finite() const {
  return expected && actual && expected->value.is_finite() && actual->value.is_finite();
}

Check make_check(const Comparing& comparing, CheckStatus status, std::optional<Remark> remark) {
  Check check;
  check.rule = comparing.name;
  check.metric = comparing.metric;
  check.rank = comparing.rank;
  check.kind = comparing.question.metrics.get(comparing.metric).kind;
  check.numbered = comparing.numbered;
  check.unit = comparing.unit;
  check.window = Window{};
  check.reduce = Reduce::each;
  check.tolerance = comparing.tolerance;
  check.status = status;
  check.baseline_file = file_of(comparing);
  if (remark) check.remarks.push_back(std::move(*remark));
  return check;
}

Check check_each(const Comparing& comparing, const std::vector<Pair>& pairs, bool passes,
                 const std::optional<Remark>& remark) {
  const bool absent = !passes && only_absent(pairs);
  Check check = make_check(comparing, passes   ? CheckStatus::pass
                                      : absent ? CheckStatus::missing
                                               : CheckStatus::fail);
  std::vector<std::int64_t> numbers;
  for (const Pair& pair : pairs) {
    numbers.push_back(pair.number);
    check.compared += pair.is_finite() ? 1 : 0;
    if (pair.close) continue;
    ++check.misses;
    if (!check.first_miss) check.first_miss = miss_of_pair(comparing.question, pair);
  }
  check.steps = StepSet(numbers);
  if (const Pair* worst = largest(pairs)) {
    check.largest = miss_of_pair(comparing.question, *worst);
    fill_pair(check, comparing.tolerance, value_in(*worst->expected), value_in(*worst->actual));
  }
  add_unpaired(check.remarks, pairs);
  if (remark) check.remarks.push_back(*remark);
  add_equal_without_value(check.remarks, pairs);
  return check;
}

Check check_reduced(const Comparing& comparing, Reduce reduce, double expected, double actual, bool passes) {
  Check check = make_check(comparing, passes ? CheckStatus::pass : CheckStatus::fail);
  check.reduce = reduce;
  check.misses = passes ? 0 : 1;
  if (!std::isfinite(expected) || !std::isfinite(actual)) return check;
  check.compared = 1;
  fill_pair(check, comparing.tolerance, number(expected), number(actual));
  return check;
}

std::vector<std::int64_t> all_numbers(const Series& series) {
  std::vector<std::int64_t> numbers = series.samples().numbers();
  numbers.insert(numbers.end(), series.unrecorded().begin(), series.unrecorded().end());
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

Tolerance relative(Bound::Side side, const Decimal& amount) {
  return {{{Bound{Bound::Kind::relative, side, amount}}}};
}

}  // namespace gate::judge
