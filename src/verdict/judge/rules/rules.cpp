#include "gate/judge/rules.h"

#include <array>
#include <optional>

namespace gate::judge {

namespace {

struct RuleTableRow {
  std::string_view metric;
  Window window;
  Reduce reduce;
  Bound bound;
  std::string_view group;
  int place = 0;
  std::optional<Bound> alternative = {};
  std::string_view rest_of_curve = {};  // the rule's name, where it is on that
};

constexpr Window all_steps{};
constexpr Window first_15{Window::Kind::first, 15, 0};
constexpr Window last_10{Window::Kind::last, 10, 0};

constexpr Bound within_hundredth{Bound::Kind::absolute, Bound::Side::both, {1, -2}};
constexpr Bound hundredth_more{Bound::Kind::absolute, Bound::Side::upper, {1, -2}};
constexpr Bound five_percent_less{Bound::Kind::relative, Bound::Side::lower, {5, -2}};
constexpr Bound five_percent_more{Bound::Kind::relative, Bound::Side::upper, {5, -2}};
constexpr Bound ten_percent_more{Bound::Kind::relative, Bound::Side::upper, {10, -2}};

constexpr std::array<RuleTableRow, 10> rule_table{{
    {"lm_loss", first_15, Reduce::each, within_hundredth, ""},
    // What it catches, and why 5 %, was measured: decision 65.
    {"lm_loss", last_10, Reduce::mean, five_percent_more, "", 0, hundredth_more, "lm_loss_end"},
    {"throughput", last_10, Reduce::mean, five_percent_less, "speed", 0},
    {"tokens_per_second", last_10, Reduce::mean, five_percent_less, "speed", 1},
    {"samples_per_second", last_10, Reduce::mean, five_percent_less, "speed", 2},
    {"iteration_time", last_10, Reduce::mean, five_percent_more, "speed", 3},
    {"memory_allocated", all_steps, Reduce::each, ten_percent_more, "memory", 0},
    {"memory_max_allocated", all_steps, Reduce::each, ten_percent_more, "memory", 0},
    {"memory_max_reserved", all_steps, Reduce::max, ten_percent_more, "memory", 1},
    {"memory_reserved", all_steps, Reduce::max, ten_percent_more, "memory", 2},
}};

Rule switch_rule(std::string_view name) {
  Rule rule;
  rule.name = name;
  rule.tolerance = {{{Bound{}}}};
  rule.is_built_in = true;
  return rule;
}

}  // namespace

std::vector<Rule> built_in_rules() {
  std::vector<Rule> rules;
  for (const RuleTableRow& row : rule_table) {
    Rule rule;
    rule.name = rule.metric = row.metric;
    rule.window = row.window;
    rule.reduce = row.reduce;
    rule.tolerance = {{{row.bound}}};
    rule.group = row.group;
    rule.place = row.place;
    rule.is_built_in = true;
    if (row.alternative) rule.tolerance.any_of.push_back({*row.alternative});
    rule.is_rest_of_curve = !row.rest_of_curve.empty();
    if (rule.is_rest_of_curve) rule.name = row.rest_of_curve;
    rules.push_back(std::move(rule));
  }
  for (const std::string_view name : {finite_rule, converged_rule}) rules.push_back(switch_rule(name));
  return rules;
}

Metric metric_of(const Rule& rule, const MetricTable& metrics) {
  Metric metric = metrics.get(rule.metric);
  if (rule.is_rest_of_curve) metric.better = Better::lower;
  return metric;
}

}  // namespace gate::judge
