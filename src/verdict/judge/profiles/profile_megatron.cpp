// Golden values of Megatron-LM, judged as its functional tests judge them.
//
// The golden file's steps are what is compared; what the run has beyond them is not looked at. A step that
// the file names without a value ("nan"), or that the run does not have, is infinite, and infinity is close
// to infinity. Of n steps some may miss in the approximate test: max(n / 100, 1), 50 at most; but of one
// none. The share that is close is compared in floating point, mean(close) >= 1 - allowed / n, so that for n
// = 3, 7, 19, ... the allowed misses are one too many (decision 9). The iteration time is one number, the
// median of a steady window.
//
// Readings of TensorBoard are rounded to 5 decimals before they are compared, and before they are written to
// a golden file; where the file says `"value_precision": "full"` neither is. A log prints fewer digits than
// were computed: an unrounded value of the file is compared to as many as the run printed, 5 at least. What a
// log prints was rounded once already: 5.314085 may have been 5.3140848 or 5.3140853, so either neighbour of
// a tie, 5.31408 and 5.31409, is the run's.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gate/base/text.h"
#include "gate/model/numbers/megatron_metric.h"
#include "judge/profiles/pairs.h"
#include "judge/profiles/profiles.h"
#include "judge/rules/plan.h"

namespace gate::judge {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int32_t decimals_of_readings = 5;

// Return the value as Megatron counts it.
double in_its_unit(const Sample& sample, const Decimal& from_gate) {
  switch (sample.value.kind) {
    case ValueKind::finite:
      break;
    case ValueKind::nan:
      return std::numeric_limits<double>::quiet_NaN();
    case ValueKind::negative_infinity:
      return -infinity;
    case ValueKind::positive_infinity:
    case ValueKind::left_out:
      return infinity;
  }
  const std::optional<Decimal> exact = multiply(sample.value.number, from_gate);
  return exact ? exact->to_double() : sample.value.number.to_double() * from_gate.to_double();
}

// A number with fewer decimals: the nearest, half to even, and the other one where both are as near.
struct RoundedDecimal {
  Decimal nearest;
  Decimal beside;  // `nearest` where there is no other
};

RoundedDecimal rounded_decimal(Decimal value, std::int32_t decimals) {
  int128 power = 1;
  for (; value.exponent < -decimals && power < int128{1'000'000'000'000'000'000}; ++value.exponent)
    power *= 10;
  const int128 rest = value.coefficient % power, twice = (rest < 0 ? -rest : rest) * 2;
  value.coefficient /= power;
  Decimal farther = value;
  farther.coefficient += rest < 0 ? -1 : 1;
  if (twice < power) return {value, value};
  if (twice > power) return {farther, farther};
  return value.coefficient % 2 == 0 ? RoundedDecimal{value, farther} : RoundedDecimal{farther, value};
}

// One metric of a golden file of Megatron-LM beside that of a run, as Megatron counts it.
class MegatronValues {
 public:
  // `from_gate`: what one unit of the metric is in Megatron's.
  MegatronValues(const Series& golden, const Series& run, const Decimal& from_gate)
      : golden_(golden), run_(run), from_gate_(from_gate) {}

  // Return all steps of the golden file, rising.
  std::vector<std::int64_t> steps() const { return all_numbers(golden_); }

  // Return both values as they are compared: rounded, where gate counts in Megatron's unit.
  ComparedPair pair(std::int64_t step) const {
    ComparedPair out{step, golden_.find(step), run_.find(step)};
    const std::optional<std::int32_t> decimals = decimals_at(step);
    if (!decimals || !out.is_finite() || from_gate_ != Decimal{1, 0}) return out;
    Decimal &golden = out.expected->value.number, &own = out.actual->value.number;
    golden = rounded_decimal(golden, *decimals).nearest;
    const RoundedDecimal either = rounded_decimal(own, *decimals);
    own = either.beside == golden ? either.beside : either.nearest;
    return out;
  }

  // Return the value at that step, rounded where the run printed one; infinity where there is none.
  double expected(std::int64_t step) const { return rounded(golden_.find(step), step).front(); }
  double actual(std::int64_t step) const {
    const std::array<double, 2> either = rounded(run_.find(step), step);
    return either.back() == expected(step) ? either.back() : either.front();
  }

 private:
  // Return the value of the sample; of a tie its other neighbour behind it.
  std::array<double, 2> rounded(const std::optional<Sample>& sample, std::int64_t step) const {
    if (!sample) return {infinity, infinity};
    const std::optional<std::int32_t> decimals = decimals_at(step);
    const std::optional<Decimal> exact = multiply(sample->value.number, from_gate_);
    if (!decimals || !exact || !sample->value.is_finite()) {
      const double whole = in_its_unit(*sample, from_gate_);
      return {whole, whole};
    }
    const RoundedDecimal one = rounded_decimal(*exact, *decimals);
    return {one.nearest.to_double(), one.beside.to_double()};
  }

  // Return to how many decimals the step is compared; none: to all, for a file holds what was recorded.
  std::optional<std::int32_t> decimals_at(std::int64_t step) const {
    const std::optional<Sample> sample = run_.find(step);
    if (!sample || sample->line == 0) return std::nullopt;
    if (!golden_.unrounded() || !sample->value.is_finite()) return decimals_of_readings;
    const std::optional<Decimal> printed = multiply(sample->value.number, from_gate_);
    return std::max(decimals_of_readings, printed ? -printed->exponent : 0);
  }

  const Series& golden_;
  const Series& run_;
  Decimal from_gate_;
};

enum class MegatronSteps : std::uint8_t { all, steady };

struct MegatronTest {
  std::string_view metric;
  bool exact;  // it has the deterministic test as well
  Decimal rtol;
  MegatronSteps steps = MegatronSteps::all;
};

constexpr Decimal five_percent_off{5, -2};
constexpr std::array<MegatronTest, 8> megatron_tests{{
    {"lm_loss", true, five_percent_off},
    {"mtp_1_loss", true, five_percent_off},
    {"mtp_2_loss", true, five_percent_off},
    {"total_loss", true, five_percent_off},
    {"num_zeros", true, {20, -2}},
    {"iteration_time", false, five_percent_off, MegatronSteps::steady},
    {"memory_allocated", false, five_percent_off},
    {"memory_max_allocated", false, five_percent_off},
}};

constexpr std::array<std::string_view, 2> compared_otherwise{"lm_loss", "num_zeros"};
bool is_by_step(const Series& series) { return series.numbered() == Numbering::step && !series.rank(); }

const Series* golden_series(const JudgeInput& input, std::string_view metric) {
  for (const ReferenceSeries& reference : input.reference.series)
    if (reference.runs.front().metric() == metric && is_by_step(reference.runs.front()))
      return &reference.runs.front();
  for (const Series& series : input.reference.unrecorded)
    if (series.metric() == metric) return &series;
  return nullptr;
}

std::size_t allowed_misses(std::size_t n) {
  return n == 1 ? 0 : std::min<std::size_t>(std::max<std::size_t>(n / 100, 1), 50);
}

Check test_each(const Comparing& comparing, const MegatronValues& values, double rtol, bool exact) {
  std::vector<ComparedPair> pairs;
  for (const std::int64_t step : values.steps()) {
    pairs.push_back(values.pair(step));
    pairs.back().close = numpy_close(values.actual(step), values.expected(step), rtol);
  }
  const auto close = static_cast<std::size_t>(std::ranges::count(pairs, true, &ComparedPair::close));
  const auto n = static_cast<double>(pairs.size()),
             allowed = static_cast<double>(allowed_misses(pairs.size()));
  const bool all = exact || pairs.size() == 1;
  const bool passes = all ? close == pairs.size() : static_cast<double>(close) / n >= 1 - allowed / n;
  if (!passes || close == pairs.size()) return check_each(comparing, pairs, passes);
  return check_each(comparing, pairs, passes,
                    remark::MayMiss{.misses = static_cast<std::int64_t>(pairs.size() - close),
                                    .compared = std::ssize(pairs),
                                    .allowed = static_cast<std::int64_t>(allowed_misses(pairs.size()))});
}

// Return the steps whose median is the iteration time; none where the golden file has no finite value there.
std::vector<std::int64_t> steady_steps(const MegatronValues& values) {
  std::vector<std::int64_t> finite = values.steps();
  std::erase_if(finite, [&](std::int64_t step) { return !std::isfinite(values.expected(step)); });
  const bool is_short = !finite.empty() && finite.back() <= 25;
  const std::int64_t first = is_short ? 5 : 30, last = is_short ? 20 : 45;
  std::erase_if(finite, [&](std::int64_t step) { return step < first; });
  std::vector<std::int64_t> window = finite;
  std::erase_if(window, [&](std::int64_t step) { return step > last; });
  if (window.empty())
    window.assign(finite.begin(), finite.begin() + std::min<std::ptrdiff_t>(4, std::ssize(finite)));
  return window;
}

double median_of_values(const std::vector<double>& values) {
  if (std::ranges::any_of(values, [](double value) { return std::isnan(value); }))
    return std::numeric_limits<double>::quiet_NaN();
  return numpy_median(values);
}

Check test_steady(const Comparing& comparing, const MegatronValues& values, double rtol,
                  const Decimal& to_gate) {
  const std::vector<std::int64_t> steps = steady_steps(values);
  if (steps.empty())
    return make_check(comparing, CheckStatus::incomparable, remark::Plain::golden_not_finite);
  std::vector<double> expected, actual;
  std::vector<std::int64_t> missing;
  for (const std::int64_t step : steps) {
    expected.push_back(values.expected(step));
    actual.push_back(values.actual(step));
    if (!std::isfinite(actual.back())) missing.push_back(step);
  }
  const double golden = median_of_values(expected), now = median_of_values(actual),
               scale = to_gate.to_double();
  const bool passes = numpy_close(now, golden, rtol);
  Check check = check_reduced(comparing, Reduce::median, golden * scale, now * scale, passes);
  check.window = Window{Window::Kind::between, steps.front(), steps.back()};
  check.steps = StepSet(steps);
  if (!missing.empty()) check.remarks.emplace_back(remark::NotFiniteInWindow{StepSet(missing)});
  if (!passes && !std::isfinite(now)) check.status = CheckStatus::missing;
  return check;
}

Comparing megatron_comparing(const JudgeInput& input, const MegatronTest& row, bool exact) {
  Comparing out{input, std::string(row.metric) + (exact ? " deterministic" : " approximate"),
                std::string(row.metric)};
  out.unit = input.metrics.get(row.metric).unit;
  out.tolerance = exact ? Tolerance{{{Bound{}}}} : relative(Bound::Side::both, row.rtol);
  return out;
}

// Two values for one step: nobody can tell which one is the run's.
std::optional<remark::Conflict> conflict_of(const Series& golden, const Series& run) {
  std::vector<std::int64_t> steps;
  for (const std::int64_t step : run.conflicts())
    if (std::ranges::binary_search(all_numbers(golden), step)) steps.push_back(step);
  if (steps.empty()) return std::nullopt;
  return remark::Conflict{remark::Side::run, run.metric(), StepSet(steps)};
}

void judge_metric(const JudgeInput& input, const MegatronTest& row, Opinion& opinion) {
  const MegatronMetric& names = *find_megatron_metric(row.metric);
  const Series* golden = golden_series(input, row.metric);
  const Series* run = find_series(input.run.series, row.metric, std::nullopt);
  const Comparing approximate = megatron_comparing(input, row, false);
  if (const auto why = why_not_gated(input, approximate.metric))
    return opinion.ungated.push_back({approximate.metric, approximate.name, *why});
  if (golden == nullptr || run == nullptr || !is_by_step(*run)) {
    const bool asked_in_vain = golden == nullptr;
    opinion.checks.push_back(
        make_check(approximate, asked_in_vain ? CheckStatus::incomparable : CheckStatus::missing,
                   asked_in_vain ? remark::Plain::golden_not_by_step : remark::Plain::run_not_by_step));
    return;
  }
  if (const auto doubt = conflict_of(*golden, *run)) {
    opinion.checks.push_back(make_check(approximate, CheckStatus::incomparable, *doubt));
    return;
  }
  const MegatronValues values(*golden, *run, names.from_gate);
  if (row.exact && !input.profile.nondeterministic)
    opinion.checks.push_back(test_each(megatron_comparing(input, row, true), values, 0, true));
  const double rtol = row.rtol.to_double();
  opinion.checks.push_back(row.steps == MegatronSteps::steady
                               ? test_steady(approximate, values, rtol, names.to_gate)
                               : test_each(approximate, values, rtol, false));
}

bool selects(const JudgeInput& input, const std::string& word, const MegatronTest& row) {
  const std::string_view key = find_megatron_metric(row.metric)->key;
  if (!is_glob(word)) return word == row.metric || word == key;
  const bool matches = glob_match(word, row.metric) || glob_match(word, key);
  return matches && golden_series(input, row.metric) != nullptr;
}

// A glob that selects nothing of the golden file compares nothing, and says so.
void judge_empty_globs(const JudgeInput& input, Opinion& opinion) {
  for (const std::string& word : input.profile.compare) {
    if (!is_glob(word)) continue;
    if (std::ranges::any_of(megatron_tests,
                            [&](const MegatronTest& row) { return selects(input, word, row); }))
      continue;
    const Comparing nothing{input, word, word};
    opinion.checks.push_back(
        make_check(nothing, CheckStatus::incomparable, remark::Plain::golden_selects_nothing));
  }
}

}  // namespace

Opinion judge_as_megatron(const JudgeInput& input) {
  Opinion opinion;
  if (input.reference.series.empty() && input.reference.unrecorded.empty()) return opinion;
  judge_empty_globs(input, opinion);
  const std::vector<std::string>& words = input.profile.compare;
  for (const MegatronTest& row : megatron_tests)
    if (words.empty()
            ? std::ranges::count(compared_otherwise, row.metric) > 0
            : std::ranges::any_of(words, [&](const auto& word) { return selects(input, word, row); }))
      judge_metric(input, row, opinion);
  return opinion;
}

}  // namespace gate::judge
