#include "judge/rules/reference_window.h"

#include <algorithm>

#include "judge/series/limits.h"
#include "judge/series/reduce.h"
#include "judge/series/relative_errors.h"

namespace gate::judge {

namespace {

using RankSeries = std::vector<const Series*>;

std::vector<RankSeries> runs_of(const RuleTarget& target) {
  std::size_t count = target.references.front()->runs.size();
  for (const ReferenceSeries* reference : target.references) count = std::min(count, reference->runs.size());
  std::vector<RankSeries> runs(count);
  for (std::size_t run = 0; run < count; ++run)
    for (const ReferenceSeries* reference : target.references) runs[run].push_back(&reference->runs[run]);
  return runs;
}

Remark empty_window(const Rule& rule, const ReferenceWindow& reference) {
  if (reference.required.empty()) return remark::Plain::baseline_empty;
  return remark::EmptyWindow{rule.window, StepSet(reference.required)};
}

std::optional<Remark> not_finite(const Series& series, const std::vector<std::int64_t>& window) {
  for (const Sample& sample : series.samples())
    if (!sample.value.is_finite() && std::ranges::binary_search(window, sample.number))
      return remark::BaselineNotFinite{sample.value, sample.number};
  return std::nullopt;
}

std::optional<Remark> runs_flaw(const std::vector<RankSeries>& runs,
                                const std::vector<std::int64_t>& window) {
  for (const RankSeries& ranks : runs)
    for (const Series* series : ranks) {
      if (!series->conflicts().empty())
        return remark::Conflict{remark::Side::baseline, series->metric(), StepSet(series->conflicts())};
      if (std::optional<Remark> flaw = not_finite(*series, window)) return flaw;
    }
  return std::nullopt;
}

// Tell whether the baseline has not all values that the window counts; of other windows nobody can tell.
bool is_short_window(const Window& window, const ReferenceWindow& reference) {
  const bool counts = window.kind == Window::Kind::first || window.kind == Window::Kind::last;
  return !counts || std::ssize(reference.window) < window.a;
}

// Tell whether the window would hold more than it does. Memory is the same at any step.
bool lacks_most(const RuleTarget& target, const ReferenceWindow& reference) {
  return reference.unrecorded.size() > reference.window.size() && target.metric.kind != MetricKind::memory &&
         is_short_window(target.rule->window, reference);
}

// Return the numbers that the baseline names without a value, and that the window would select with one.
std::vector<std::int64_t> unrecorded_in(const Window& window, const ReferenceWindow& reference,
                                        const RankSeries& all) {
  std::vector<std::int64_t> unrecorded;
  for (const Series* series : all) std::ranges::copy(series->unrecorded(), std::back_inserter(unrecorded));
  if (unrecorded.empty() || reference.window.empty()) return {};
  sort_unique(unrecorded);
  std::erase_if(unrecorded,
                [&](std::int64_t n) { return std::ranges::binary_search(reference.required, n); });
  std::vector<std::int64_t> named = reference.required;
  named.insert(named.end(), unrecorded.begin(), unrecorded.end());
  std::ranges::sort(named);
  const std::vector<std::int64_t> wanted = is_short_window(window, reference)
                                               ? resolve(window, named, reference.front)
                                               : std::vector<std::int64_t>();
  std::erase_if(unrecorded, [&](std::int64_t n) {
    const bool is_among = reference.window.front() < n && n < reference.window.back();
    return !is_among && !std::ranges::binary_search(wanted, n);
  });
  return unrecorded;
}

std::optional<Remark> window_problem(const Rule& rule, const ReferenceWindow& reference,
                                     const std::vector<RankSeries>& runs) {
  if (reference.window.empty()) return empty_window(rule, reference);
  if (reference.numbered == Numbering::time && is_side_by_side(rule.reduce))
    return remark::Plain::times_side_by_side;
  if (std::optional<Remark> flaw = runs_flaw(runs, reference.window)) return flaw;
  for (const NumericSeries& run : reference.runs)
    if (reference.numbered != Numbering::time &&
        std::ranges::any_of(reference.window, [&](std::int64_t n) { return run.find(n) == nullptr; }))
      return remark::Plain::baseline_ragged;
  return std::nullopt;
}

// The run's errors are against the mean of the baseline's runs, which may be 0 nowhere.
void set_error_variant(ReferenceWindow& reference) {
  reference.variants = {{mean_series(reference.runs), std::nullopt}};
  std::vector<std::int64_t> zeros;
  for (const std::int64_t n : reference.window)
    if (compare(reference.variants.front().series.find(n)->value, number(Decimal{})) == 0) zeros.push_back(n);
  if (!zeros.empty()) reference.problem = remark::ZeroBaseline{StepSet(zeros)};
}

void set_variants(ReferenceWindow& reference, const Rule& rule) {
  if (rule.reduce == Reduce::mean_relative_error) return set_error_variant(reference);
  std::vector<ReferenceVariant> runs;
  std::vector<Number> reduced;
  for (const NumericSeries& run : reference.runs) {
    runs.push_back({run, reduced_value(rule, reference, run)});
    if (runs.back().reduced)
      reduced.push_back(*runs.back().reduced);
    else if (rule.reduce != Reduce::each)
      reference.problem = remark::NoReducedValue{remark::Side::baseline, rule.reduce};
  }
  reference.variants = std::move(runs);
  if (has_bound(rule.tolerance, Bound::Kind::exact)) return;
  reference.variants = {{mean_series(reference.runs), std::nullopt}};
  if (!reduced.empty()) reference.variants.front().reduced = mean_of(reduced);
}

// Of a speed of 0, or below, a share allows any speed.
bool is_share_of_no_speed(const RuleTarget& target, const ReferenceWindow& reference) {
  if (target.metric.kind != MetricKind::speed || !has_bound(target.rule->tolerance, Bound::Kind::relative))
    return false;
  return std::ranges::all_of(reference.runs, [&](const NumericSeries& run) {
    return std::ranges::all_of(values_at(run, reference.window),
                               [](const Number& value) { return compare(value, number(Decimal{})) <= 0; });
  });
}

constexpr std::int32_t coarsest = 9999;

std::vector<Number> compared_values(const ReferenceWindow& reference) {
  std::vector<Number> values;
  for (const ReferenceVariant& variant : reference.variants) {
    if (variant.reduced)
      values.push_back(*variant.reduced);
    else
      std::ranges::copy(values_at(variant.series, reference.window), std::back_inserter(values));
  }
  return values;
}

std::optional<Number> widest_allowance(const Rule& rule, const ReferenceWindow& reference) {
  std::optional<Number> widest;
  for (const Number& value : compared_values(reference)) {
    const std::optional<Number> allowed = allowance(rule.tolerance, value);
    if (allowed && (!widest || compare(*allowed, *widest) > 0)) widest = allowed;
  }
  return widest;
}

}  // namespace

bool ReferenceWindow::in_window(std::int64_t number) const {
  return std::ranges::binary_search(window, number);
}

std::optional<Number> reduced_value(const Rule& rule, const ReferenceWindow& reference,
                                    const NumericSeries& series) {
  if (rule.reduce == Reduce::mean_relative_error)
    return mean_relative_error(reference.window, series, reference.variants.front().series);
  const bool by_time = reference.numbered == Numbering::time;
  return reduce(rule.reduce, by_time ? values_of(series) : values_at(series, reference.window));
}

std::optional<Number> paired_value(const Rule& rule, const NumericSeries& baseline, std::int64_t number) {
  const Point* point = rule.reduce == Reduce::mean_relative_error ? baseline.find(number) : nullptr;
  return point == nullptr ? std::nullopt : std::optional(point->value);
}

ReferenceWindow reference_window_of(const RuleTarget& target) {
  const Rule& rule = *target.rule;
  const std::vector<RankSeries> runs = runs_of(target);
  RankSeries all;
  for (const RankSeries& ranks : runs) all.insert(all.end(), ranks.begin(), ranks.end());
  ReferenceWindow reference;
  reference.numbered = all.front()->numbered();
  reference.required = recorded_numbers(all);
  reference.front = all.front()->of_last_steps() ? Front::later : Front::first_of_run;
  reference.window = reference.numbered == Numbering::time
                         ? reference.required
                         : resolve(rule.window, reference.required, reference.front);
  if (reference.numbered != Numbering::time)
    reference.unrecorded = unrecorded_in(rule.window, reference, all);
  for (const RankSeries& ranks : runs) reference.runs.push_back(numeric_series_of(ranks, rule.rank));
  reference.variants.emplace_back();
  if (!needs_baseline(rule.tolerance)) {
    if (reference.window.empty()) reference.problem = empty_window(rule, reference);
    return reference;
  }
  reference.problem = window_problem(rule, reference, runs);
  if (!reference.problem && lacks_most(target, reference))
    reference.problem = remark::Unpaired{remark::Unpaired::Lack::not_recorded, StepSet(reference.unrecorded)};
  if (!reference.problem && is_share_of_no_speed(target, reference))
    reference.problem =
        remark::ZeroBaseline{rule.reduce == Reduce::each ? StepSet(reference.window) : StepSet()};
  if (!reference.problem) set_variants(reference, rule);
  return reference;
}

ReferenceWindow open_reference_window(const RuleTarget& target, std::span<const Series* const> run) {
  ReferenceWindow reference;
  reference.numbered = run.empty() ? target.metric.numbered : run.front()->numbered();
  reference.window = resolve(target.rule->window, recorded_numbers(run));
  reference.variants.emplace_back();
  if (reference.window.empty()) reference.problem = remark::EmptyWindow{target.rule->window, std::nullopt};
  return reference;
}

std::int32_t finest_exponent(std::span<const Series* const> series) {
  std::int32_t finest = coarsest;
  for (const Series* one : series)
    for (const Sample& sample : one->samples())
      if (sample.value.is_finite()) finest = std::min(finest, sample.value.number.exponent);
  return finest;
}

std::vector<const Series*> baseline_series(const RuleTarget& target) {
  std::vector<const Series*> all;
  for (const ReferenceSeries* reference : target.references)
    for (const Series& series : reference->runs) all.push_back(&series);
  return all;
}

bool too_fine(const Rule& rule, const ReferenceWindow& reference, std::int32_t finest) {
  const std::optional<Number> widest = widest_allowance(rule, reference);
  return widest && compare(*widest, number(Decimal{})) > 0 &&
         compare(*widest, number(Decimal{1, finest})) < 0;
}

}  // namespace gate::judge
