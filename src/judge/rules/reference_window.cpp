#include "judge/rules/reference_window.h"

#include <algorithm>

#include "judge/series/reduce.h"
#include "judge/series/window.h"

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

Remark empty_window(const Rule& rule, const ReferenceWindow& yardstick) {
  if (yardstick.required.empty()) return remark::Plain::baseline_empty;
  return remark::EmptyWindow{rule.window, StepSet(yardstick.required)};
}

std::optional<Remark> not_finite(const Series& series, const std::vector<std::int64_t>& window) {
  for (const Sample& sample : series.samples())
    if (!sample.value.is_finite() && std::binary_search(window.begin(), window.end(), sample.number))
      return remark::BaselineNotFinite{sample.value, sample.number};
  return std::nullopt;
}

std::optional<Remark> conflict_of(const Series& series) {
  if (series.conflicts().empty()) return std::nullopt;
  return remark::Conflict{remark::Side::baseline, series.metric(), StepSet(series.conflicts())};
}

std::optional<Remark> runs_flaw(const std::vector<RankSeries>& runs,
                                const std::vector<std::int64_t>& window) {
  for (const RankSeries& ranks : runs)
    for (const Series* series : ranks) {
      if (std::optional<Remark> flaw = conflict_of(*series)) return flaw;
      if (std::optional<Remark> flaw = not_finite(*series, window)) return flaw;
    }
  return std::nullopt;
}

bool lacks_any(const NumericSeries& line, const std::vector<std::int64_t>& numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [&](std::int64_t n) { return line.find(n) == nullptr; });
}

std::optional<Remark> yardstick_problem(const Rule& rule, const ReferenceWindow& yardstick,
                                        const std::vector<RankSeries>& runs) {
  if (yardstick.window.empty()) return empty_window(rule, yardstick);
  if (yardstick.numbered == Numbering::time && rule.reduce == Reduce::each)
    return remark::Plain::times_side_by_side;
  if (std::optional<Remark> flaw = runs_flaw(runs, yardstick.window)) return flaw;
  for (const NumericSeries& line : yardstick.runs)
    if (yardstick.numbered != Numbering::time && lacks_any(line, yardstick.window))
      return remark::Plain::baseline_ragged;
  return std::nullopt;
}

Variant average(const ReferenceWindow& yardstick, const std::vector<Variant>& runs) {
  Variant mean{mean_line(yardstick.runs), std::nullopt};
  std::vector<Number> reduced;
  for (const Variant& run : runs)
    if (run.reduced) reduced.push_back(*run.reduced);
  if (!reduced.empty()) mean.reduced = mean_of(reduced);
  return mean;
}

void add_variants(ReferenceWindow& yardstick, const Rule& rule) {
  std::vector<Variant> runs;
  for (const NumericSeries& line : yardstick.runs) {
    const std::optional<Number> reduced = reduced_value(rule, yardstick, line);
    if (!reduced && rule.reduce != Reduce::each)
      yardstick.problem = remark::NoReducedValue{remark::Side::baseline, rule.reduce};
    runs.push_back({line, reduced});
  }
  if (is_exact(rule.tolerance)) {
    yardstick.variants = std::move(runs);
  } else {
    yardstick.variants = {average(yardstick, runs)};
  }
}

}  // namespace

bool ReferenceWindow::in_window(std::int64_t number) const {
  return std::binary_search(window.begin(), window.end(), number);
}

std::optional<Number> reduced_value(const Rule& rule, const ReferenceWindow& yardstick,
                                    const NumericSeries& line) {
  const bool by_time = yardstick.numbered == Numbering::time;
  return reduce(rule.reduce, by_time ? values_of(line) : values_at(line, yardstick.window));
}

ReferenceWindow make_yardstick(const Target& target) {
  const Rule& rule = *target.rule;
  const std::vector<RankSeries> runs = runs_of(target);
  RankSeries all;
  for (const RankSeries& ranks : runs) all.insert(all.end(), ranks.begin(), ranks.end());
  ReferenceWindow yardstick;
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
  if (!yardstick.problem) add_variants(yardstick, rule);
  return yardstick;
}

ReferenceWindow open_yardstick(const Target& target, std::span<const Series* const> run) {
  ReferenceWindow yardstick;
  yardstick.numbered = run.empty() ? target.metric.numbered : run.front()->numbered();
  yardstick.window = resolve(target.rule->window, recorded_numbers(run));
  yardstick.variants.emplace_back();
  if (yardstick.window.empty()) yardstick.problem = remark::EmptyWindow{target.rule->window, std::nullopt};
  return yardstick;
}

}  // namespace gate::judge
