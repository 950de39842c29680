#include "judge/profiles/pairs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/series/limits.h"

namespace gate::judge {

namespace {

Number value_in(const Sample& sample) { return number(sample.value.number); }

Number delta_of(const ComparedPair& pair) { return minus(value_in(*pair.actual), value_in(*pair.expected)); }

Miss miss_of_pair(const JudgeInput& input, const ComparedPair& pair) {
  Miss miss{.number = pair.number, .baseline = Value{}, .actual = {}, .delta = {}};
  if (pair.expected) miss.baseline = pair.expected->value;
  if (pair.actual) miss.actual = pair.actual->value;
  if (pair.is_finite()) {
    miss.delta = value_of(delta_of(pair));
    miss.delta_percent = percent_of(delta_of(pair), value_in(*pair.expected));
  }
  if (!pair.actual || pair.actual->line == 0) return miss;
  miss.line = pair.actual->line;
  if (pair.actual->file < input.run.files.size()) miss.file = input.run.files[pair.actual->file];
  return miss;
}

// Return the pair that is farthest apart, among those that are not close if there are any.
const ComparedPair* largest(const std::vector<ComparedPair>& pairs) {
  const ComparedPair* best = nullptr;
  const auto beyond = [](const ComparedPair& a, const ComparedPair& b) {
    if (a.close != b.close) return !a.close;
    return compare(magnitude(delta_of(a)), magnitude(delta_of(b))) > 0;
  };
  for (const ComparedPair& pair : pairs)
    if (pair.is_finite() && (best == nullptr || beyond(pair, *best))) best = &pair;
  return best;
}

void fill_pair(Check& check, const Tolerance& tolerance, const Number& expected, const Number& actual) {
  const Intervals limits = limits_of(tolerance, expected);
  const Number delta = minus(actual, expected);
  check.baseline = value_of(expected);
  check.actual = value_of(actual);
  check.delta = value_of(delta);
  check.delta_percent = percent_of(delta, expected);
  check.limit = ranges_of(limits);
  check.margin = value_of(margin_of(limits, actual));
}

// Add what is wrong with the pairs that are not close and have no number on one side.
void add_unpaired(std::vector<Remark>& remarks, const std::vector<ComparedPair>& pairs) {
  std::vector<std::int64_t> absent, non_finite, unrecorded;
  for (const ComparedPair& pair : pairs) {
    if (pair.close || pair.is_finite()) continue;
    const bool there = pair.actual.has_value();
    (!there ? absent : pair.actual->value.is_finite() ? unrecorded : non_finite).push_back(pair.number);
  }
  using Lack = remark::Unpaired::Lack;
  if (!non_finite.empty()) remarks.emplace_back(remark::Unpaired{Lack::not_finite, StepSet(non_finite)});
  if (!absent.empty()) remarks.emplace_back(remark::MissingSteps{StepSet(absent)});
  if (!unrecorded.empty()) remarks.emplace_back(remark::Unpaired{Lack::not_recorded, StepSet(unrecorded)});
}

void add_equal_without_value(std::vector<Remark>& remarks, const std::vector<ComparedPair>& pairs) {
  std::vector<std::int64_t> numbers;
  for (const ComparedPair& pair : pairs)
    if (pair.close && !pair.is_finite()) numbers.push_back(pair.number);
  if (!numbers.empty())
    remarks.emplace_back(remark::Unpaired{remark::Unpaired::Lack::nowhere, StepSet(numbers)});
}

// Return the file that the metric's values come from; of a rank, its own.
std::string file_of(const Comparing& comparing) {
  for (const ReferenceSeries& held : comparing.input.reference.series) {
    const Series& series = held.runs.front();
    if (series.metric() == comparing.metric && (!comparing.rank || series.rank() == comparing.rank))
      return held.path;
  }
  return "";
}

}  // namespace

bool ComparedPair::is_finite() const {
  return expected && actual && expected->value.is_finite() && actual->value.is_finite();
}

Check make_check(const Comparing& comparing, CheckStatus status, std::optional<Remark> remark) {
  Check check;
  check.rule = comparing.name;
  check.metric = comparing.metric;
  check.rank = comparing.rank;
  const Metric metric = comparing.input.metrics.get(comparing.metric);
  check.kind = metric.kind;
  check.better = metric.better;
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

Check check_each(const Comparing& comparing, const std::vector<ComparedPair>& pairs, bool passes,
                 const std::optional<Remark>& remark) {
  const bool only_absent =
      std::ranges::all_of(pairs, [](const ComparedPair& pair) { return pair.close || !pair.actual; });
  Check check = make_check(comparing, passes        ? CheckStatus::pass
                                      : only_absent ? CheckStatus::missing
                                                    : CheckStatus::fail);
  std::vector<std::int64_t> numbers;
  for (const ComparedPair& pair : pairs) {
    numbers.push_back(pair.number);
    check.compared += pair.is_finite() ? 1 : 0;
    if (pair.close) continue;
    ++check.misses;
    if (!check.first_miss) check.first_miss = miss_of_pair(comparing.input, pair);
  }
  check.steps = StepSet(numbers);
  if (const ComparedPair* worst = largest(pairs)) {
    if (passes || !worst->close) check.largest = miss_of_pair(comparing.input, *worst);
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
  std::ranges::sort(numbers);
  return numbers;
}

Tolerance relative(Bound::Side side, const Decimal& amount) {
  return {{{Bound{Bound::Kind::relative, side, amount}}}};
}

bool numpy_close(double actual, double expected, double rtol) {
  if (!std::isfinite(actual) || !std::isfinite(expected)) return actual == expected;
  return std::abs(actual - expected) <= rtol * std::abs(expected);
}

bool pytest_approx(double actual, double expected, double rel) {
  if (actual == expected) return true;
  if (!std::isfinite(expected)) return false;
  return std::abs(expected - actual) <= std::max(rel * std::abs(expected), 1e-12);
}

double python_mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double numpy_median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace gate::judge
