#include "judge/selftest/mutation_context.h"

#include <algorithm>

#include "judge/rules/comparison.h"
#include "judge/rules/quantum.h"
#include "judge/rules/run_coverage.h"

namespace gate::judge {

namespace {

constexpr std::int64_t made_up_length = 10;  // steps, where nothing says how many

// Keep the variant that the run is nearest to.
void keep_nearest(MutationContext& scene) {
  for (const Variant& variant : scene.yardstick.variants) {
    ReferenceWindow one = scene.yardstick;
    one.variants = {variant};
    if (compare(scene.target, one, std::span(&scene.line, 1)).failed(scene.rule())) continue;
    scene.yardstick = std::move(one);
    return;
  }
}

// Return a value that constants accept.
Decimal at_limit(const Tolerance& constants) {
  const Interval first = limits_of(constants, std::nullopt).front();
  return (first.low ? *first.low : *first.high).sum;
}

Series made_up(const Target& target, std::int64_t length) {
  const Metric& metric = target.metric;
  Series series(metric.name, std::nullopt, metric.unit, metric.numbered);
  const Decimal value = at_limit(target.rule->tolerance);
  for (std::int64_t number = 1; number <= length; ++number)
    series.append({number, {ValueKind::finite, value}, value.to_string(), 0, 0});
  return series;
}

bool has_metric(const Extraction& run, const std::string& metric) {
  return std::any_of(run.series.begin(), run.series.end(),
                     [&](const Series& series) { return series.metric() == metric; });
}

}  // namespace

Limits MutationContext::limits_at(std::int64_t number) const {
  const Point* baseline = yardstick.variants.front().line.find(number);
  return limits_of(rule().tolerance, baseline != nullptr ? std::optional(baseline->value) : std::nullopt);
}

Limits MutationContext::limits() const {
  return limits_of(rule().tolerance, yardstick.variants.front().reduced);
}

std::vector<Bound::Side> MutationContext::bad_sides() const {
  if (target.metric.better == Better::higher) return {Bound::Side::lower};
  if (target.metric.better == Better::lower) return {Bound::Side::upper};
  const Bound::Side side = side_of(rule().tolerance);
  if (!needs_baseline(rule().tolerance) && side != Bound::Side::both) return {side};
  return {Bound::Side::upper, Bound::Side::lower};
}

MutationContext make_scene(const Guard& guard, const Target& target, const Extraction& run) {
  const std::vector<const Series*> series = series_of(target, run);
  MutationContext scene{guard, target, run, {}, line_of(series, target.rule->rank), 0};
  scene.yardstick = target.open() ? open_yardstick(target, series) : make_yardstick(target);
  scene.quantum = std::min(finest_exponent(series), finest_exponent(baseline_series(target)));
  keep_nearest(scene);
  return scene;
}

Extraction run_of(const Guard& guard, const Plan& plan, std::size_t index) {
  Extraction run;
  for (const ReferenceSeries& reference : guard.reference.series)
    run.series.push_back(reference.runs[std::min(index, reference.runs.size() - 1)]);
  for (const Target& target : plan.targets)
    if (target.open() && !has_metric(run, target.metric.name))
      run.series.push_back(made_up(target, guard.reference.last_step.value_or(made_up_length)));
  run.bytes = run.lines = 1;
  return run;
}

bool belongs(const Series& series, const Target& target) {
  const auto& ranks = target.ranks;
  const bool of_rank = std::find(ranks.begin(), ranks.end(), series.rank()) != ranks.end();
  return series.metric() == target.metric.name && (target.open() || of_rank);
}

Series edited(const Series& series, const Edit& edit) {
  Series out(series.metric(), series.rank(), series.unit(), series.numbered());
  for (const Sample& sample : series.samples())
    if (std::optional<Sample> next = edit(series, sample)) out.append(*next);
  return out;
}

Extraction edited(const MutationContext& scene, const Edit& edit) {
  Extraction run = scene.run;
  for (Series& series : run.series)
    if (belongs(series, scene.target)) series = edited(series, edit);
  return run;
}

Extraction with_values(const MutationContext& scene, const Values& values) {
  return edited(scene, [&](const Series&, const Sample& old) -> std::optional<Sample> {
    const auto it = values.find(old.number);
    if (it == values.end()) return old;
    return Sample{old.number, {ValueKind::finite, it->second}, it->second.to_string(), old.file, old.line};
  });
}

}  // namespace gate::judge
