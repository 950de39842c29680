#include "judge/yardstick.h"

#include <algorithm>

#include "judge/reduce.h"
#include "judge/window.h"
#include "judge/words.h"

namespace gate::judge {

namespace {

using RankSeries = std::vector<const Series*>;

std::vector<RankSeries> runs_of(const Target& target) {
  std::size_t count = target.references.front()->runs.size();
  for (const ReferenceSeries* reference : target.references) count = std::min(count, reference->runs.size());
  std::vector<RankSeries> runs(count);
  for (std::size_t run = 0; run < count; ++run)
    for (const ReferenceSeries* reference : target.references) runs[run].push_back(&reference->runs[run]);
  return runs;
}

bool is_exact(const Tolerance& tolerance) {
  return std::any_of(tolerance.any_of.begin(), tolerance.any_of.end(), [](const std::vector<Bound>& all_of) {
    return std::any_of(all_of.begin(), all_of.end(),
                       [](const Bound& bound) { return bound.kind == Bound::Kind::exact; });
  });
}

std::string empty_window(const Rule& rule, const Yardstick& yardstick) {
  if (yardstick.required.empty()) return "the baseline holds no value";
  return "the window \"" + to_string(rule.window) + "\" selects nothing of the baseline's " +
         numbers_text(yardstick.required, yardstick.numbered);
}

std::string not_finite_text(const Series& series, const std::vector<std::int64_t>& window) {
  for (const Sample& sample : series.samples())
    if (!sample.value.is_finite() && std::binary_search(window.begin(), window.end(), sample.number))
      return "the baseline has " + value_text(sample) + " at " +
             number_text(sample.number, series.numbered());
  return "";
}

std::string conflict_text(const Series& series) {
  if (series.conflicts().empty()) return "";
  return "the baseline has different values for " + numbers_text(series.conflicts(), series.numbered());
}

std::string runs_flaw(const std::vector<RankSeries>& runs, const std::vector<std::int64_t>& window) {
  for (const RankSeries& ranks : runs)
    for (const Series* series : ranks) {
      if (std::string flaw = conflict_text(*series); !flaw.empty()) return flaw;
      if (std::string flaw = not_finite_text(*series, window); !flaw.empty()) return flaw;
    }
  return "";
}

bool lacks_any(const Line& line, const std::vector<std::int64_t>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [&](std::int64_t n) { return line.find(n) == nullptr; });
}

std::string yardstick_problem(const Rule& rule, const Yardstick& yardstick,
                              const std::vector<RankSeries>& runs) {
  if (yardstick.window.empty()) return empty_window(rule, yardstick);
  if (yardstick.numbered == Numbering::time && rule.reduce == Reduce::each)
    return "samples numbered by time cannot be put side by side; use a reduce, e.g. mean";
  if (std::string flaw = runs_flaw(runs, yardstick.window); !flaw.empty()) return flaw;
  for (const Line& line : yardstick.runs)
    if (yardstick.numbered != Numbering::time && lacks_any(line, yardstick.window))
      return "the baseline's series do not all hold the same numbers";
  return "";
}

Variant average(const Yardstick& yardstick, const std::vector<Variant>& runs) {
  Variant mean{mean_line(yardstick.runs), std::nullopt};
  std::vector<Number> reduced;
  for (const Variant& run : runs)
    if (run.reduced) reduced.push_back(*run.reduced);
  if (!reduced.empty()) mean.reduced = mean_of(reduced);
  return mean;
}

void add_variants(Yardstick& yardstick, const Rule& rule) {
  std::vector<Variant> runs;
  for (const Line& line : yardstick.runs) {
    const std::optional<Number> reduced = reduced_value(rule, yardstick, line);
    if (!reduced && rule.reduce != Reduce::each)
      yardstick.problem =
          "the baseline has no " + std::string(to_string(rule.reduce)) + ": a value is not above 0";
    runs.push_back({line, reduced});
  }
  if (is_exact(rule.tolerance)) {
    yardstick.variants = std::move(runs);
  } else {
    yardstick.variants = {average(yardstick, runs)};
  }
}

}  // namespace

bool Yardstick::in_window(std::int64_t number) const {
  return std::binary_search(window.begin(), window.end(), number);
}

std::optional<Number> reduced_value(const Rule& rule, const Yardstick& yardstick, const Line& line) {
  const bool by_time = yardstick.numbered == Numbering::time;
  return reduce(rule.reduce, by_time ? values_of(line) : values_at(line, yardstick.window));
}

Yardstick make_yardstick(const Target& target) {
  const Rule& rule = *target.rule;
  const std::vector<RankSeries> runs = runs_of(target);
  RankSeries all;
  for (const RankSeries& ranks : runs) all.insert(all.end(), ranks.begin(), ranks.end());
  Yardstick yardstick;
  yardstick.numbered = all.front()->numbered();
  yardstick.required = recorded_numbers(all);
  yardstick.window =
      yardstick.numbered == Numbering::time ? yardstick.required : resolve(rule.window, yardstick.required);
  for (const RankSeries& ranks : runs) yardstick.runs.push_back(line_of(ranks, rule.rank));
  yardstick.variants.emplace_back();
  if (!needs_baseline(rule.tolerance)) {
    if (yardstick.window.empty()) yardstick.problem = empty_window(rule, yardstick);
    return yardstick;
  }
  yardstick.problem = yardstick_problem(rule, yardstick, runs);
  if (yardstick.problem.empty()) add_variants(yardstick, rule);
  return yardstick;
}

Yardstick open_yardstick(const Target& target, std::span<const Series* const> run) {
  Yardstick yardstick;
  yardstick.numbered = run.empty() ? target.metric.numbered : run.front()->numbered();
  yardstick.window = resolve(target.rule->window, recorded_numbers(run));
  yardstick.variants.emplace_back();
  if (yardstick.window.empty())
    yardstick.problem = "the window \"" + to_string(target.rule->window) + "\" selects nothing of the run";
  return yardstick;
}

}  // namespace gate::judge
