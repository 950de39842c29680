#include "judge/rules/plan.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::judge {

namespace {

using References = std::vector<const ReferenceSeries*>;

struct Asked {
  std::span<const Rule> rules;
  const MetricTable& metrics;
  const Reference& reference;
  std::string_view platform;
};

References references_of(const Asked& asked, std::string_view metric) {
  References found;
  for (const ReferenceSeries& series : asked.reference.series)
    if (!series.runs.empty() && series.runs.front().metric() == metric) found.push_back(&series);
  return found;
}

bool same_platform(std::string_view baseline, std::string_view run) {
  return baseline.empty() || run.empty() || baseline == run || glob_match(baseline, run);
}

bool bound_to_platform(const Metric& metric) {
  return metric.kind == MetricKind::speed || metric.kind == MetricKind::memory;
}

// Tell whether every value is 0, as some frameworks print a speed that they do not measure.
bool is_zero_throughout(const ReferenceSeries& reference) {
  return std::ranges::all_of(reference.runs, [](const Series& run) {
    return std::ranges::all_of(run.samples(), [](const Sample& sample) {
      return sample.value.is_finite() && sample.value.number.is_zero();
    });
  });
}

// What the rule can be judged against. A speed that is 0 throughout leaves its place to the next one of its
// group.
References comparable(const Asked& asked, const Rule& rule) {
  const Metric metric = asked.metrics.get(rule.metric);
  References found = references_of(asked, rule.metric);
  std::erase_if(found, [&](const auto* r) {
    return (bound_to_platform(metric) && !same_platform(r->platform, asked.platform)) ||
           (metric.kind == MetricKind::speed && !rule.group.empty() && is_zero_throughout(*r));
  });
  return found;
}

// Return the rule of the group's first place that the predicate holds for.
template <typename Holds>
const Rule* first_of_group(const Asked& asked, std::string_view group, Holds holds) {
  const Rule* first = nullptr;
  for (const Rule& rule : asked.rules)
    if (rule.group == group && (first == nullptr || rule.place < first->place) && holds(rule)) first = &rule;
  return first;
}

// Return a rule of the group's active place: the first that the baseline has for this platform, with a value
// that is not 0 if there is one; else the first that needs no baseline; else none.
const Rule* active_of_group(const Asked& asked, std::string_view group) {
  const Rule* measured = first_of_group(asked, group, [&](const Rule& rule) {
    const References found = comparable(asked, rule);
    return std::ranges::any_of(found, [](const auto* series) { return !is_zero_throughout(*series); });
  });
  if (measured != nullptr) return measured;
  const Rule* held =
      first_of_group(asked, group, [&](const Rule& rule) { return !comparable(asked, rule).empty(); });
  if (held != nullptr) return held;
  return first_of_group(asked, group, [](const Rule& rule) { return !needs_baseline(rule.tolerance); });
}

Remark why_not_comparable(const Asked& asked, const Rule& rule) {
  if (asked.reference.series.empty()) return remark::Plain::no_baseline;
  const References held = references_of(asked, rule.metric);
  if (held.empty()) return remark::Plain::not_in_baseline;
  if (same_platform(held.front()->platform, asked.platform)) return remark::Plain::zero_speed;
  return remark::OtherPlatform{std::string(asked.platform), held.front()->platform};
}

void add_targets(Plan& plan, const Rule& rule, const Metric& metric, const References& references) {
  Target all{&rule, metric, references, {}};
  for (const ReferenceSeries* reference : references) {
    all.ranks.push_back(reference->runs.front().rank());
    if (rule.rank == RankMode::each) plan.targets.push_back({&rule, metric, {reference}, {all.ranks.back()}});
  }
  if (rule.rank != RankMode::each || references.empty()) plan.targets.push_back(std::move(all));
}

void add_rule(Plan& plan, const Asked& asked, const Rule& rule) {
  const Rule* active = rule.group.empty() ? &rule : active_of_group(asked, rule.group);
  if (active != nullptr && active->place != rule.place) {
    plan.gaps.push_back({{rule.metric, rule.name, remark::GatedInstead{active->metric}}, false, false, true});
    return;
  }
  const Metric metric = asked.metrics.get(rule.metric);
  const References references = comparable(asked, rule);
  if (references.empty() && needs_baseline(rule.tolerance)) {
    plan.gaps.push_back({{rule.metric, rule.name, why_not_comparable(asked, rule)},
                         true,
                         rule.required,
                         !rule.group.empty()});
  } else {
    add_targets(plan, rule, metric, references);
  }
}

}  // namespace

Plan make_plan(std::span<const Rule> rules, const MetricTable& metrics, const Reference& reference,
               std::string_view platform) {
  Plan plan;
  const Asked asked{rules, metrics, reference, platform};
  for (const Rule& rule : rules) add_rule(plan, asked, rule);
  return plan;
}

std::vector<Target> opened(const Target& target, const Extraction& run) {
  std::vector<std::optional<int>> ranks;
  for (const Series& series : run.series)
    if (series.metric() == target.metric.name) ranks.push_back(series.rank());
  if (ranks.empty()) ranks.emplace_back();
  Target all = target;
  all.ranks = ranks;
  if (target.rule->rank != RankMode::each) return {all};
  std::vector<Target> each;
  for (const std::optional<int>& rank : ranks) each.push_back({target.rule, target.metric, {}, {rank}});
  return each;
}

}  // namespace gate::judge
