// Golden values of Megatron-LM, judged as its functional tests judge them.
//
// The golden file's steps are what is compared; what the run has beyond them is not looked at. A step that
// the file names without a value ("nan"), or that the run does not have, is infinite, and infinity is close
// to infinity. Of n steps some may miss in the approximate test: max(n / 100, 1), 50 at most; but of one
// none. The share that is close is compared in floating point, mean(close) >= 1 - allowed / n, so that for n
// = 3, 7, 19, ... the allowed misses are one too many. The iteration time is one number, the median of a
// steady window.
#include <algorithm>
#include <array>
#include <cmath>

#include "gate/base/text.h"
#include "gate/model/megatron_metric.h"
#include "judge/profiles/megatron_values.h"
#include "judge/profiles/profiles.h"
#include "judge/series/floats.h"
#include "judge/series/pairs.h"

namespace gate::judge {

namespace {

enum class Steps : std::uint8_t { all, steady };

struct MegatronTest {
  std::string_view metric;
  bool exact;  // it has the deterministic test as well
  Decimal rtol;
  Steps steps = Steps::all;
};

constexpr Decimal five_percent_off{5, -2};
constexpr std::array<MegatronTest, 8> megatron_tests{{
    {"lm_loss", true, five_percent_off},
    {"mtp_1_loss", true, five_percent_off},
    {"mtp_2_loss", true, five_percent_off},
    {"total_loss", true, five_percent_off},
    {"num_zeros", true, {20, -2}},
    {"iteration_time", false, five_percent_off, Steps::steady},
    {"memory_allocated", false, five_percent_off},
    {"memory_max_allocated", false, five_percent_off},
}};

constexpr std::array<std::string_view, 2> compared_otherwise{"lm_loss", "num_zeros"};
bool is_by_step(const Series& series) { return series.numbered() == Numbering::step && !series.rank(); }

const Series* golden_series(const JudgeInput& question, std::string_view metric) {
  for (const ReferenceSeries& reference : question.reference.series)
    if (reference.runs.front().metric() == metric && is_by_step(reference.runs.front()))
      return &reference.runs.front();
  for (const Series& series : question.reference.unrecorded)
    if (series.metric() == metric) return &series;
  return nullptr;
}

const Series* run_series(const JudgeInput& question, std::string_view metric) {
  const Series* series = find_series(question.run.series, metric, std::nullopt);
  return series != nullptr && is_by_step(*series) ? series : nullptr;
}

std::size_t allowed_misses(std::size_t n) {
  return n == 1 ? 0 : std::min<std::size_t>(std::max<std::size_t>(n / 100, 1), 50);
}

bool enough_are_close(std::size_t close, std::size_t n) {
  if (n == 1) return close == 1;
  const auto count = static_cast<double>(n);
  return static_cast<double>(close) / count >= 1 - static_cast<double>(allowed_misses(n)) / count;
}

Check test_each(const Comparing& comparing, const MegatronValues& values, double rtol, bool exact) {
  std::vector<Pair> pairs;
  for (const std::int64_t step : values.steps()) {
    pairs.push_back(values.pair(step));
    pairs.back().close = numpy_close(values.actual(step), values.expected(step), rtol);
  }
  const auto close = static_cast<std::size_t>(std::ranges::count(pairs, true, &Pair::close));
  const bool passes = exact ? close == pairs.size() : enough_are_close(close, pairs.size());
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

Comparing megatron_comparing(const JudgeInput& question, const MegatronTest& row, bool exact) {
  Comparing out{question, std::string(row.metric) + (exact ? " deterministic" : " approximate"),
                std::string(row.metric)};
  out.unit = question.metrics.get(row.metric).unit;
  out.tolerance = exact ? Tolerance{{{Bound{}}}} : relative(Bound::Side::both, row.rtol);
  return out;
}

void hear_metric(const JudgeInput& question, const MegatronTest& row, Opinion& opinion) {
  const MegatronMetric& names = *find_megatron_metric(row.metric);
  const Series* golden = golden_series(question, row.metric);
  const Series* run = run_series(question, row.metric);
  const Comparing approximate = megatron_comparing(question, row, false);
  if (golden == nullptr || run == nullptr) {
    const bool asked_in_vain = golden == nullptr;
    opinion.checks.push_back(
        make_check(approximate, asked_in_vain ? CheckStatus::incomparable : CheckStatus::missing,
                   asked_in_vain ? remark::Plain::golden_not_by_step : remark::Plain::run_not_by_step));
    return;
  }
  const MegatronValues values(*golden, *run, names.from_gate);
  if (row.exact && !question.profile.allow_nondeterministic)
    opinion.checks.push_back(test_each(megatron_comparing(question, row, true), values, 0, true));
  const double rtol = row.rtol.to_double();
  opinion.checks.push_back(row.steps == Steps::steady ? test_steady(approximate, values, rtol, names.to_gate)
                                                      : test_each(approximate, values, rtol, false));
}

bool selects(const JudgeInput& question, const std::string& word, const MegatronTest& row) {
  const std::string_view key = find_megatron_metric(row.metric)->key;
  if (!is_glob(word)) return word == row.metric || word == key;
  const bool matches = glob_match(word, row.metric) || glob_match(word, key);
  return matches && golden_series(question, row.metric) != nullptr;
}

bool is_asked_for(const JudgeInput& question, const MegatronTest& row) {
  const std::vector<std::string>& words = question.profile.compare;
  if (words.empty()) return std::ranges::count(compared_otherwise, row.metric) > 0;
  return std::ranges::any_of(words, [&](const std::string& word) { return selects(question, word, row); });
}

// A glob that selects nothing of the golden file compares nothing, and says so.
void hear_empty_globs(const JudgeInput& question, Opinion& opinion) {
  for (const std::string& word : question.profile.compare) {
    if (!is_glob(word)) continue;
    if (std::ranges::any_of(megatron_tests,
                            [&](const MegatronTest& row) { return selects(question, word, row); }))
      continue;
    const Comparing nothing{question, word, word};
    opinion.checks.push_back(
        make_check(nothing, CheckStatus::incomparable, remark::Plain::golden_selects_nothing));
  }
}

}  // namespace

Opinion judge_as_megatron(const JudgeInput& question) {
  Opinion opinion;
  if (question.reference.series.empty() && question.reference.unrecorded.empty()) return opinion;
  hear_empty_globs(question, opinion);
  for (const MegatronTest& row : megatron_tests)
    if (is_asked_for(question, row)) hear_metric(question, row, opinion);
  return opinion;
}

}  // namespace gate::judge
