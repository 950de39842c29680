#include "judge/rules/plan.h"

#include <algorithm>
#include <set>

#include "gate/base/text.h"
#include "gate/judge/rules.h"
#include "gate/words/remarks.h"
#include "judge/rules/reference_window.h"
#include "judge/series/numeric_series.h"

namespace gate::judge {

namespace {

using References = std::vector<const ReferenceSeries*>;

struct PlanInput {
  std::span<const Rule> rules;
  const MetricTable& metrics;
  const Reference& reference;
  std::string_view platform;
};

References references_of(const PlanInput& input, std::string_view metric) {
  References found;
  for (const ReferenceSeries& series : input.reference.series)
    if (!series.runs.empty() && series.runs.front().metric() == metric) found.push_back(&series);
  return found;
}

bool same_platform(std::string_view baseline, std::string_view run) {
  if (baseline == unknown_platform) return run == unknown_platform;
  return baseline.empty() || run.empty() || baseline == run || glob_match(baseline, run);
}

// Tell whether there are values, and every one is 0, as some frameworks print a speed that they do not
// measure.
bool is_none_above_zero(const Series& series) {
  return std::ranges::all_of(series.samples(), [](const Sample& sample) {
    return sample.value.is_finite() && sample.value.number <= Decimal{};
  });
}

bool is_zero_throughout(const ReferenceSeries& reference) {
  return !std::ranges::all_of(reference.runs, &Series::empty) &&
         std::ranges::all_of(reference.runs, is_none_above_zero);
}

// --- the rest of a curve, behind the steps that lm_loss compares ---

constexpr std::int64_t steps_of_lm_loss = 15;
constexpr std::size_t fewest_of_curve = 25;  // lm_loss's steps, and a window of 10 behind them

bool reaches_behind(const Window& window, std::int64_t step) {
  switch (window.kind) {
    case Window::Kind::all:
    case Window::Kind::last:
    case Window::Kind::after:
      return true;
    case Window::Kind::first:
    case Window::Kind::step:
      return window.a > step;
    case Window::Kind::between:
      return window.b > step;
  }
  return false;
}

// Return the rule of gate.toml that a built-in one on the rest of the curve gives way to, or nullptr.
const Rule* in_place_of_rest(const PlanInput& input, const Rule& rule) {
  if (!leaves_gaps_to_others(rule)) return nullptr;
  const auto other = std::ranges::find_if(input.rules, [&](const Rule& one) {
    return one.metric == rule.metric && !one.is_built_in && reaches_behind(one.window, steps_of_lm_loss);
  });
  return other == input.rules.end() ? nullptr : &*other;
}

// Of values below 0, or of none, no percentage says what is worse.
bool is_above_zero(const Series& run, std::int64_t number) {
  const std::optional<Sample> sample = run.find(number);
  return sample && sample->value.is_finite() && Decimal{} < sample->value.number;
}

bool has_rest_of_curve(const ReferenceSeries& reference, const Rule& rule) {
  const std::vector<std::int64_t> numbers = recorded_numbers(pointers_to(reference.runs));
  if (numbers.size() < fewest_of_curve) return false;
  for (const std::int64_t number : resolve(rule.window, numbers))
    for (const Series& run : reference.runs)
      if (!is_above_zero(run, number)) return false;
  return true;
}

// Tell whether the reference is of another platform, and the metric is compared on one alone.
bool is_bound_elsewhere(const Metric& metric, const ReferenceSeries& reference, std::string_view platform) {
  return (metric.kind == MetricKind::speed || metric.kind == MetricKind::memory) &&
         !same_platform(reference.platform, platform);
}

// What the rule can be judged against. A speed that is 0 throughout leaves its place to the next one of its
// group.
References comparable(const PlanInput& input, const Rule& rule) {
  const Metric metric = input.metrics.get(rule.metric);
  References found = references_of(input, rule.metric);
  std::erase_if(found, [&](const auto* r) {
    return is_bound_elsewhere(metric, *r, input.platform) ||
           (metric.kind == MetricKind::speed && !rule.group.empty() && is_zero_throughout(*r)) ||
           (rule.is_rest_of_curve && (metric.better == Better::higher || !has_rest_of_curve(*r, rule)));
  });
  return found;
}

// Return the rule of the group's first place that the predicate holds for.
template <typename Holds>
const Rule* first_of_group(const PlanInput& input, std::string_view group, Holds holds) {
  const Rule* first = nullptr;
  for (const Rule& rule : input.rules)
    if (rule.group == group && (first == nullptr || rule.place < first->place) && holds(rule)) first = &rule;
  return first;
}

// Return a rule of the group's active place: the first that the baseline has for this platform, with a value
// that is not 0 if there is one; else the first that needs no baseline; else none.
const Rule* active_of_group(const PlanInput& input, std::string_view group) {
  const Rule* measured = first_of_group(input, group, [&](const Rule& rule) {
    const References found = comparable(input, rule);
    return std::ranges::any_of(found, [](const auto* series) { return !is_zero_throughout(*series); });
  });
  if (measured != nullptr) return measured;
  const Rule* held =
      first_of_group(input, group, [&](const Rule& rule) { return !comparable(input, rule).empty(); });
  if (held != nullptr) return held;
  return first_of_group(input, group, [](const Rule& rule) { return !needs_baseline(rule.tolerance); });
}

Remark why_not_comparable(const PlanInput& input, const Rule& rule) {
  if (input.reference.series.empty()) return remark::Plain::no_baseline;
  const References held = references_of(input, rule.metric);
  if (held.empty())
    return rule.is_built_in ? remark::Plain::not_in_baseline : remark::Plain::rule_judges_nothing;
  if (rule.is_rest_of_curve) return remark::Plain::short_curve;
  if (same_platform(held.front()->platform, input.platform)) return remark::Plain::zero_speed;
  return remark::OtherPlatform{std::string(input.platform), held.front()->platform};
}

void add_targets(CheckPlan& plan, const Rule& rule, const Metric& metric, const References& references) {
  RuleTarget all{&rule, metric, references, {}};
  for (const ReferenceSeries* reference : references) {
    all.ranks.push_back(reference->runs.front().rank());
    if (rule.rank == RankMode::each) plan.targets.push_back({&rule, metric, {reference}, {all.ranks.back()}});
  }
  if (rule.rank != RankMode::each || references.empty()) plan.targets.push_back(std::move(all));
}

void add_rule(CheckPlan& plan, const PlanInput& input, const Rule& rule) {
  const Rule* active = rule.group.empty() ? &rule : active_of_group(input, rule.group);
  if (active != nullptr && active->place != rule.place) {
    plan.gaps.push_back({{rule.metric, rule.name, remark::GatedInstead{active->metric}}, false, false, true});
    return;
  }
  const Metric metric = metric_of(rule, input.metrics);
  const References references = comparable(input, rule);
  if (const Rule* other = in_place_of_rest(input, rule)) {
    plan.gaps.push_back(
        {.entry = {rule.metric, rule.name, remark::GatedInstead{other->name}}, .is_unsaid = true});
  } else if (references.empty() && needs_baseline(rule.tolerance)) {
    plan.gaps.push_back({{rule.metric, rule.name, why_not_comparable(input, rule)},
                         !rule.is_rest_of_curve || rule.required,
                         rule.required,
                         !rule.group.empty(),
                         false,
                         rule.is_built_in,
                         leaves_gaps_to_others(rule)});
  } else {
    add_targets(plan, rule, metric, references);
  }
}

// Moves the rules of withheld metrics out of the rules and into gaps.
std::vector<Gap> withhold(std::vector<Rule>& rules, const JudgeInput& input) {
  std::vector<Gap> gaps;
  std::erase_if(rules, [&](const Rule& rule) {
    const auto withheld = input.withheld.find(rule.metric);
    if (withheld == input.withheld.end()) return false;
    gaps.push_back({.entry = {rule.metric, rule.name, withheld->second},
                    .blocks = true,
                    .required = rule.required,
                    .is_unsaid = leaves_gaps_to_others(rule)});
    return true;
  });
  return gaps;
}

Numbering baseline_numbering(const RuleTarget& target) {
  return target.references.front()->runs.front().numbered();
}

bool is_numbered_otherwise(const RuleTarget& target, const Extraction& run) {
  const Metric& metric = target.metric;
  if (target.open() || baseline_numbering(target) == metric.numbered) return false;
  const auto has = [&](Numbering numbered, bool of_the_ranks) {
    return std::ranges::any_of(run.series, [&](const Series& series) {
      const bool is_of_them = std::ranges::find(target.ranks, series.rank()) != target.ranks.end();
      return series.metric() == metric.name && series.numbered() == numbered && (is_of_them || !of_the_ranks);
    });
  };
  return has(metric.numbered, false) && !has(baseline_numbering(target), true);
}

void set_aside(CheckPlan& plan, const Extraction& run) {
  std::set<const Rule*> told;
  std::erase_if(plan.targets, [&](const RuleTarget& target) {
    if (!is_numbered_otherwise(target, run)) return false;
    const Rule& rule = *target.rule;
    if (told.insert(&rule).second)
      plan.gaps.push_back(
          {{rule.metric, rule.name,
            remark::OtherNumbering{target.metric.numbered, baseline_numbering(target), rule.name}},
           true,
           rule.required,
           false,
           true});
    return true;
  });
}

}  // namespace

bool has_speed(const Extraction& run, const std::string& metric) {
  return std::ranges::any_of(run.series, [&](const Series& series) {
    return series.metric() == metric && !is_none_above_zero(series);
  });
}

std::optional<Remark> why_not_gated(const JudgeInput& input, const std::string& name) {
  const Metric metric = input.metrics.get(name);
  const References held = references_of({input.rules, input.metrics, input.reference, input.platform}, name);
  for (const ReferenceSeries* series : held)
    if (is_bound_elsewhere(metric, *series, input.platform))
      return remark::OtherPlatform{input.platform, series->platform};
  const auto is_zero = [](const ReferenceSeries* series) { return is_zero_throughout(*series); };
  const bool is_no_speed = metric.kind == MetricKind::speed && !held.empty() &&
                           std::ranges::all_of(held, is_zero) && !has_speed(input.run, name);
  return is_no_speed ? std::optional<Remark>(remark::Plain::zero_speed) : std::nullopt;
}

bool leaves_gaps_to_others(const Rule& rule) { return rule.is_rest_of_curve && rule.is_built_in; }

CheckPlan make_plan(std::span<const Rule> rules, const MetricTable& metrics, const Reference& reference,
                    std::string_view platform) {
  CheckPlan plan;
  const PlanInput input{rules, metrics, reference, platform};
  for (const Rule& rule : rules)
    if (!rule.metric.empty()) add_rule(plan, input, rule);
  return plan;
}

std::vector<RuleTarget> opened(const RuleTarget& target, const Extraction& run) {
  std::vector<std::optional<int>> ranks;
  for (const Series& series : run.series)
    if (series.metric() == target.metric.name) ranks.push_back(series.rank());
  if (ranks.empty()) ranks.emplace_back();
  RuleTarget all = target;
  all.ranks = ranks;
  if (target.rule->rank != RankMode::each) return {all};
  std::vector<RuleTarget> each;
  for (const std::optional<int>& rank : ranks) each.push_back({target.rule, target.metric, {}, {rank}});
  return each;
}

PlannedRules plan_for(const JudgeInput& input) {
  PlannedRules made{{input.rules.begin(), input.rules.end()}, {}};
  const std::vector<Gap> withheld = withhold(made.rules, input);
  made.plan = make_plan(made.rules, input.metrics, input.reference, input.platform);
  made.plan.gaps.insert(made.plan.gaps.end(), withheld.begin(), withheld.end());
  set_aside(made.plan, input.run);
  return made;
}

Sentence blocked_by(const CheckPlan& plan, Strict strict) {
  for (const Gap& gap : plan.gaps)
    if (gap.blocks && (strict == Strict::yes || gap.required))
      return say({"{} is ungated: {} ({})", "{} 未设门禁：{}（{}）"}, gap.entry.metric,
                 words::text(gap.entry.reason), gap.required ? "required" : "strict");
  return {};
}

}  // namespace gate::judge
