// Looks at the series that are judged.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gate/base/text.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "judge/lint/lint_rows.h"
#include "judge/rules/reference_window.h"
#include "judge/selftest/mutation_context.h"
#include "judge/series/reduce.h"

namespace gate::judge {

namespace {

using InspectedCheck = Inspected::InspectedCheck;

constexpr double most_skewed = 0.01;  // |mean / median - 1|
constexpr double slowest = 0.9;       // of the median

Flaw flaw_of(const InspectedCheck& check, Sentence text) {
  const std::vector<std::optional<int>>& ranks = check.target.ranks;
  return {check.target.metric.name, ranks.size() == 1 ? ranks.front() : std::nullopt, std::move(text)};
}

bool is_speed(const InspectedCheck& check) { return check.target.metric.kind == MetricKind::speed; }

// Return how far apart the nearest two are: 5 of a golden file that holds each fifth step.
std::int64_t spacing_of(const SampleTape& samples) {
  std::int64_t interval = samples.size() > 1 ? samples[1].number - samples[0].number : 1;
  for (std::size_t i = 2; i < samples.size(); ++i)
    interval = std::min(interval, samples[i].number - samples[i - 1].number);
  return std::max<std::int64_t>(interval, 1);
}

// Return the numbers at which a series of the baseline has nothing to compare.
std::vector<std::int64_t> holes(const Series& series) {
  std::vector<std::int64_t> numbers;
  for (const Sample& sample : series.samples())
    if (!sample.value.is_finite()) numbers.push_back(sample.number);
  if (!series.assumed() || series.empty()) return numbers;
  const std::int64_t interval = spacing_of(series.samples());
  const bool begins_at_one = interval == 1 && !series.of_last_steps();
  for (std::int64_t number = begins_at_one ? 1 : series.samples()[0].number;
       number < series.samples().last_number(); number += interval)
    if (!series.find(number)) numbers.push_back(number);
  return numbers;
}

bool is_all_zero(const Series& series) {
  return !series.empty() && std::ranges::all_of(series.samples(), [](const Sample& sample) {
    return sample.value.is_finite() && sample.value.number.is_zero();
  });
}

Sentence slow_steps(const InspectedCheck& check, const std::vector<Number>& values, double median) {
  std::vector<std::int64_t> slow;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = to_double(values[i]);  // its speed is below 1 where slower, whichever side is better
    const double speed = check.target.metric.better == Better::lower ? median / value : value / median;
    if (speed < slowest) slow.push_back(check.reference.window[i]);
  }
  if (slow.empty()) return {};
  return say({"{} slower than 0.9 of the median", "{}比中位数的 0.9 还慢"},
             words::numbers_text(slow, check.reference.numbered));
}

Sentence stall_in(const InspectedCheck& check, const NumericSeries& run) {
  const std::vector<Number> values = values_at(run, check.reference.window);
  if (values.size() < 3) return {};
  const double median = to_double(*reduce(Reduce::median, values)), mean = to_double(mean_of(values));
  if (!(median > 0)) return {};
  const Sentence slow = slow_steps(check, values, median);
  const bool skewed = std::fabs(mean / median - 1) > most_skewed;
  return words::both(
      skewed ? say({"the mean is {:.3g} of the median", "均值是中位数的 {:.3g}"}, mean / median) : Sentence(),
      slow);
}

}  // namespace

Flaws does_not_pass(const Inspected& inspected) {
  const Judgement judgement = good_run(inspected.input.guard, inspected.plan, judge).judgement;
  Flaws flaws;
  for (const Check& check : judgement.checks)
    if (check.status != CheckStatus::pass)
      flaws.push_back(
          {check.metric, check.rank, words::both(to_string(check.status), words::note_text(check))});
  return flaws;
}

Flaws not_recorded(const Inspected& inspected) {
  Flaws flaws;
  for (const InspectedCheck& check : inspected.checks)
    for (const Series* series : baseline_series(check.target)) {
      std::vector<std::int64_t> numbers = holes(*series);
      std::ranges::copy(check.reference.unrecorded, std::back_inserter(numbers));
      sort_unique(numbers);
      if (!numbers.empty())
        flaws.push_back(
            {series->metric(), series->rank(),
             say({"no number at {}", "{}没有数值"}, words::numbers_text(numbers, series->numbered()))});
    }
  return flaws;
}

Flaws few_values(const Inspected& inspected) {
  Flaws flaws;
  for (const InspectedCheck& check : inspected.checks) {
    const Window& window = check.target.rule->window;
    const bool counts = window.kind == Window::Kind::first || window.kind == Window::Kind::last;
    const auto held = static_cast<std::int64_t>(check.reference.window.size());
    if (counts && held < window.a)
      flaws.push_back(flaw_of(check, say({"the window \"{}\" holds {}", "窗口 \"{}\" 里有 {}"},
                                         to_string(window), count_of(held, "value", "个值"))));
  }
  return flaws;
}

Flaws uneven_ranks(const Inspected& inspected) {
  std::map<std::string, std::map<std::size_t, std::vector<std::optional<int>>>> by_count;
  for (const ReferenceSeries& reference : inspected.input.guard.reference.series)
    if (const Series& series = reference.runs.front(); series.rank())
      by_count[series.metric()][series.size()].push_back(series.rank());
  Flaws flaws;
  for (const auto& [metric, counts] : by_count) {
    if (counts.size() < 2) continue;
    std::vector<Sentence> parts;
    for (const auto& [count, ranks] : counts)
      parts.push_back(words::ranks_text(ranks) + colon +
                      count_of(static_cast<std::int64_t>(count), "value", "个值"));
    flaws.push_back({metric, std::nullopt, join(parts, comma)});
  }
  return flaws;
}

Flaws all_zero(const Inspected& inspected) {
  Flaws flaws;
  for (const InspectedCheck& check : inspected.checks) {
    const std::vector<const Series*> series = baseline_series(check.target);
    const MetricKind kind = check.target.metric.kind;
    const bool measured = kind == MetricKind::memory || kind == MetricKind::speed;
    if (measured && std::ranges::all_of(series, [](const Series* s) { return is_all_zero(*s); }))
      flaws.push_back(flaw_of(
          check, say({"every value is 0, and so is a percentage of it", "每个值都是 0，它的百分比也是 0"})));
  }
  return flaws;
}

Flaws stalls(const Inspected& inspected) {
  Flaws flaws;
  for (const InspectedCheck& check : inspected.checks)
    for (const NumericSeries& run : check.reference.runs)
      if (Sentence text = is_speed(check) ? stall_in(check, run) : Sentence(); !text.empty())
        flaws.push_back(flaw_of(check, std::move(text)));
  return flaws;
}

Flaws warm_up_in_window(const Inspected& inspected) {
  Flaws flaws;
  for (const InspectedCheck& check : inspected.checks)
    if (is_speed(check) && check.reference.required.size() > 1 && !check.reference.window.empty() &&
        check.reference.front == Front::first_of_run &&
        check.reference.window.front() == check.reference.required.front())
      flaws.push_back(flaw_of(
          check, words::number_text(check.reference.window.front(), check.reference.numbered).english() +
                     " is in the window \"" + to_string(check.target.rule->window) + "\""));
  return flaws;
}

Flaws noisy(const Inspected& inspected) {
  Flaws flaws;
  for (const Noise& noise : inspected.input.noise) {
    if (!is_noisy(noise)) continue;
    const std::string fitting = fitting_tolerance(noise);
    flaws.push_back(
        {noise.metric, noise.rank,
         noise_text(noise) + (fitting.empty() ? Sentence()
                                              : say({"; within 1 % with rules.{}.tolerance = \"{}\"",
                                                     "；不超过 1 % 需写 rules.{}.tolerance = \"{}\""},
                                                    noise.rule, fitting))});
  }
  return flaws;
}

Flaws noise_unknown(const Inspected& inspected) {
  Flaws flaws;
  for (const Noise& noise : inspected.input.noise)
    if (noise.kind == MetricKind::speed && !noise.s && !noise.problem)
      flaws.push_back({noise.metric, noise.rank, noise_text(noise)});
  return flaws;
}

}  // namespace gate::judge
