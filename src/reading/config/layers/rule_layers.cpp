#include "config/layers/rule_layers.h"

#include <algorithm>

#include "config/tables/policy_tables.h"
#include "gate/base/text.h"
#include "gate/judge/rules.h"
#include "gate/model/rules/grammar.h"

namespace gate::config {

namespace {

const std::vector<Rule>& built_in() {
  static const std::vector<Rule> rules = judge::built_in_rules();
  return rules;
}

const Rule* find_built_in(const std::string& name) { return row_in(built_in(), name, &Rule::name); }

bool is_off(const Draft& draft) {
  const TableEntry* on = draft.find("");
  return on != nullptr && on->raw.text == "false";
}

// Checks one rule; the place of a mistake is the entry that is to blame.
class RuleCheck {
 public:
  RuleCheck(const Draft& draft, const Metrics& metrics, Diagnostics& mistakes)
      : draft_(draft), rule_(rule_of(draft)), metrics_(metrics), mistakes_(mistakes) {}

  bool takes_keys();
  void check_metric();
  void check_tolerance(bool elsewhere);
  void check_pair();
  void check_error();
  void check_misses();
  void check_waiver();
  void check_attempt();
  void check_switch();

 private:
  Position place(std::initializer_list<const char*> keys) const;
  bool is_derived() const;
  void check_limits(const Tolerance& tolerance, const Position& at);
  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }

  const Draft& draft_;
  const Rule rule_;
  const Metrics& metrics_;
  Diagnostics& mistakes_;
};

Position RuleCheck::place(std::initializer_list<const char*> keys) const {
  for (const char* key : keys)
    if (const TableEntry* entry = draft_.find(key)) return entry->raw.at;
  if (!draft_.keys.empty()) return draft_.at;
  return value_under(metrics_.declared, rule_.metric);
}

bool RuleCheck::is_derived() const {
  return std::ranges::find(metrics_.derivations, rule_.metric, &judge::Derivation::metric) !=
         metrics_.derivations.end();
}

// The rule of all metrics of kind accuracy has nothing that could be said of it, but whether it is on.
bool RuleCheck::takes_keys() {
  if (!rule_.metric.empty()) return true;
  if (!draft_.keys.empty())
    report(place({}),
           "rule \"" + draft_.name + "\" has no keys; rules." + draft_.name + " = false switches it off");
  return false;
}

void RuleCheck::check_metric() {
  if (metrics_.table.find(rule_.metric) != nullptr) return;
  const std::string hint = did_you_mean(rule_.metric, texts_of(metrics_.table.all(), &Metric::name));
  report(place({"metric"}),
         "unknown metric \"" + printable(rule_.metric, 80) + "\"" +
             (hint.empty() ? "; declare it under [metrics] with a pattern, or name one with metric = \"...\""
                           : hint));
}

void RuleCheck::check_tolerance(bool elsewhere) {
  if (rule_.tolerance.any_of.empty()) {
    if (!elsewhere)
      report(place({}), "rule \"" + printable(draft_.name, 80) +
                            "\" has no tolerance; write one such as tolerance = \"\u00b10.01\"");
    return;
  }
  if (metrics_.table.find(rule_.metric) == nullptr || metrics_.broken.count(rule_.metric) > 0) return;
  check_limits(rule_.tolerance, place({"tolerance", "tolerance.otherwise", "metric"}));
}

// Of a metric with a formula 0 may be the best value.
void RuleCheck::check_limits(const Tolerance& tolerance, const Position& at) {
  const Metric metric = judge::metric_of(rule_, metrics_.table);
  const Status can_fail =
      is_derived() ? Status() : check_can_fail(tolerance, metric.name, number_range(metric));
  if (!can_fail) return report(at, can_fail.error().message);
  if (const Status direction = check_direction(tolerance, metric); !direction)
    report(at, direction.error().message);
}

// A tolerance for runs that are deterministic stands beside the one for the others.
void RuleCheck::check_pair() {
  const TableEntry* deterministic = draft_.find("tolerance.deterministic");
  const TableEntry* otherwise = draft_.find("tolerance.otherwise");
  if (deterministic == nullptr && otherwise == nullptr) return;
  if (deterministic == nullptr || otherwise == nullptr)
    return report(
        place({"tolerance.deterministic", "tolerance.otherwise"}),
        "two tolerances are { deterministic = \"exact\", otherwise = \"\u00b10.01\" }; one is missing");
  if (metrics_.table.find(rule_.metric) != nullptr) check_limits(*rule_.deterministic, deterministic->raw.at);
  if (bounds_error(*rule_.deterministic) != bounds_error(rule_.tolerance) ||
      needs_baseline(*rule_.deterministic) != needs_baseline(rule_.tolerance))
    report(deterministic->raw.at,
           "the two tolerances are of one kind: against the baseline, against a constant, "
           "or of a mean relative error");
}

// The bound of a mean relative error and the reduce that makes one go together.
void RuleCheck::check_error() {
  const bool is_error = rule_.reduce == Reduce::mean_relative_error;
  if (rule_.tolerance.any_of.empty() || is_error == bounds_error(rule_.tolerance)) return;
  if (is_error)
    report(place({"tolerance", "tolerance.otherwise", "reduce"}),
           "a mean_relative_error is a percentage itself, so \"" + to_string(rule_.tolerance) +
               "\" says nothing of it; write tolerance = \"<= 2%\"");
  else
    report(place({"tolerance", "tolerance.otherwise", "reduce"}),
           "\"" + to_string(rule_.tolerance) +
               "\" bounds a mean relative error; write reduce = "
               "\"mean_relative_error\", or \"±2%\" for each value or mean");
}

void RuleCheck::check_misses() {
  const bool is_counted = rule_.window.kind == Window::Kind::first || rule_.window.kind == Window::Kind::last;
  if (rule_.reduce == Reduce::each && is_counted && rule_.max_misses >= rule_.window.a)
    report(place({"max_misses", "window"}), "max_misses = " + std::to_string(rule_.max_misses) +
                                                " cannot fail: the window \"" + to_string(rule_.window) +
                                                "\" holds no more steps");
  if (rule_.max_misses == 0 || rule_.reduce == Reduce::each) return;
  report(place({"max_misses"}), "max_misses counts steps, so it goes with reduce \"each\" only, not with \"" +
                                    std::string(to_string(rule_.reduce)) + "\"");
}

void RuleCheck::check_waiver() {
  if (!rule_.waive || (!rule_.waive->reason.empty() && !rule_.waive->until.empty())) return;
  const std::string lacking = rule_.waive->reason.empty() ? "reason" : "until";
  report(place({"waive.reason", "waive.until"}),
         "the waiver has no " + lacking + "; it needs both reason and until");
}

// Attempts are told apart in what the log prints.
void RuleCheck::check_attempt() {
  if (rule_.attempt.empty()) return;
  const bool derived = is_derived();
  const bool printed = !derived && metrics_.table.get(rule_.metric).measured_by == MeasuredBy::log;
  if (!printed)
    report(place({"attempt"}), "an attempt can be chosen of what the log prints only, and " + rule_.metric +
                                   (derived ? " has a formula" : " is measured by gate"));
}

void RuleCheck::check_switch() {
  if (find_built_in(draft_.name) != nullptr || draft_.keys.size() > 1) return;
  const auto names = texts_of(built_in(), &Rule::name);
  report(place({}), unknown("rule", draft_.name, names));
}

// Return the built-in rule on the rest of the curve whose beginning the draft speaks of: which of the values
// are judged, and whether a failure is known, holds for both. Nothing where the draft is on no such curve.
std::optional<Rule> rest_of_curve(Rule rest, const Draft& beginning) {
  const Rule rule = rule_of(beginning);
  if (is_off(beginning) || rule.metric != rest.metric) return std::nullopt;
  rest.attempt = rule.attempt;
  rest.rank = rule.rank;
  rest.waive = rule.waive;
  return rest;
}

}  // namespace

// Tell whether the draft is a rule of its own in place of the built-in one that is only on or off.
bool replaces_switch(const Draft& draft) {
  const bool has_keys = std::ranges::any_of(draft.keys, [](const auto& key) { return !key.first.empty(); });
  return draft.name == judge::converged_rule && has_keys;
}

Rule rule_of(const Draft& draft) {
  const Rule* base = replaces_switch(draft) ? nullptr : find_built_in(draft.name);
  Rule rule = base != nullptr ? *base : Rule{};
  if (base == nullptr) rule.name = rule.metric = draft.name;
  for (const auto& [key, entry] : draft.keys)
    if (!key.empty()) assign_rule_key(rule, key, entry->raw);
  const bool leads_group = base != nullptr && base->place == 0 && rule.metric == base->metric;
  if (!draft.keys.empty() && !leads_group) rule.group.clear();
  rule.is_built_in = rule.is_built_in && draft.keys.empty();
  rule.is_rest_of_curve = rule.is_rest_of_curve && rule.metric == base->metric;
  return rule;
}

void check_rules(const Drafts& drafts, const Metrics& metrics,
                 const std::set<std::string>& tolerance_elsewhere, Diagnostics& mistakes) {
  for (const Draft& draft : drafts.all()) {
    if (draft.broken) continue;
    RuleCheck check(draft, metrics, mistakes);
    if (is_off(draft)) {
      check.check_switch();
      continue;
    }
    if (!check.takes_keys()) continue;
    check.check_metric();
    check.check_tolerance(tolerance_elsewhere.count(draft.name) > 0);
    check.check_pair();
    check.check_error();
    check.check_misses();
    check.check_waiver();
    check.check_attempt();
  }
}

void check_untouched_rules(const Drafts& drafts, const Metrics& metrics, Diagnostics& mistakes) {
  for (const Rule& rule : built_in()) {
    if (drafts.find(rule.name) != nullptr || metrics.declared.count(rule.metric) == 0) continue;
    const Draft untouched{rule.name, {}, {}, false};
    RuleCheck(untouched, metrics, mistakes).check_tolerance(false);
  }
}

std::vector<Rule> rules_of(const Drafts& drafts) {
  std::vector<Rule> rules;
  rules.reserve(built_in().size() + drafts.all().size());
  for (const Rule& rule : built_in()) {
    const Draft* draft = drafts.find(rule.name);
    const Draft* beginning = rule.is_rest_of_curve ? drafts.find(rule.metric) : nullptr;
    if (draft == nullptr && beginning != nullptr) {
      if (const std::optional<Rule> rest = rest_of_curve(rule, *beginning)) rules.push_back(*rest);
    } else if (draft == nullptr) {
      rules.push_back(rule);
    } else if (!is_off(*draft))
      rules.push_back(rule_of(*draft));
  }
  for (const Draft& draft : drafts.all())
    if (find_built_in(draft.name) == nullptr && !is_off(draft)) rules.push_back(rule_of(draft));
  return rules;
}

std::vector<extract::AttemptMetric> choose_attempts(std::vector<Rule>& rules, MetricTable& table) {
  std::vector<extract::AttemptMetric> chosen;
  for (Rule& rule : rules) {
    if (rule.attempt.empty()) continue;
    Metric metric = table.get(rule.metric);
    metric.name += "@" + rule.attempt;
    const bool is_new = table.find(metric.name) == nullptr;
    extract::AttemptChoice choice{std::nullopt, true};
    if (rule.attempt != "last") choice = {static_cast<int>(parse_integer(rule.attempt).value_or(1))};
    if (is_new) chosen.push_back({metric.name, rule.metric, choice});
    rule.metric = metric.name;
    if (is_new) table.put(std::move(metric));
  }
  return chosen;
}

}  // namespace gate::config
