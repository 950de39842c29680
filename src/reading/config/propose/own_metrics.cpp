#include "gate/config/own_metrics.h"

#include <algorithm>

namespace gate::config {

namespace {

constexpr const char* guessed = "    # guessed";

// How runs are judged where nothing is known of their noise.
struct GuessedRule {
  const char* window = "all";
  const char* reduce = "each";
  const char* sign = "±";
  const char* absolute = "";  // may be as far apart, or a share of the baseline in percent
  int percent = 0;
};

GuessedRule rule_for(const GuessedMetric& guess) {
  constexpr int last_score = 3;  // losses, and what tells how good a model is
  const bool higher = guess.metric.better == Better::higher;
  switch (guess.metric.kind) {
    case MetricKind::accuracy:
      if (guess.place > last_score) return {"all", "each", "±", "0.01", 10};
      return {"all", "each", higher ? "-" : "±", "0.01", 2};
    case MetricKind::speed:
      return {"last 10", "mean", higher ? "-" : "+", "", 5};
    case MetricKind::memory:
      return {"all", higher ? "min" : "max", higher ? "-" : "+", "", 10};
    case MetricKind::other:
      break;
  }
  return {"all", "each", "±", "", 2};
}

// What does not change is to stay so. A tolerance finer than what is printed cannot be tested.
std::string tolerance_for(const OwnMetric& own, const GuessedRule& rule) {
  const std::string sign = rule.sign;
  if (own.is_constant && own.guess.metric.kind == MetricKind::other) return "exact";
  constexpr double smallest = 0.1;  // below it an amount of 0.01 allows anything
  const bool has_amount = *rule.absolute != '\0' && own.least >= smallest;
  const double share = own.least * rule.percent / 100;
  const std::string percent = sign + std::to_string(rule.percent) + "%";
  const bool is_coarse = own.last_digit.to_double() > std::max(share, has_amount ? 0.01 : 0);
  if (own.least == 0) return sign + own.last_digit.to_string() + " or " + percent;  // no share of nothing
  if (is_coarse) return sign + own.last_digit.to_string();
  return (has_amount ? sign + rule.absolute + " or " : "") + percent;
}

void add_guess(ProposedTable& table, const std::string& key, std::string_view text) {
  table.values.emplace_back(key, toml_text(text) + guessed);
}

ProposedTable metric_table_of(const OwnMetric& own) {
  const Metric& metric = own.guess.metric;
  const Metric known = MetricTable().get(metric.name);
  ProposedTable table{"metrics." + toml_key(metric.name)};
  if (own.printed != metric.name && !own.printed.empty()) table.comment = "printed as " + own.printed;
  table.values.emplace_back("pattern", "'''" + own.pattern + "'''");
  if (metric.kind != known.kind) add_guess(table, "kind", to_string(metric.kind));
  if (metric.better != known.better) add_guess(table, "better", to_string(metric.better));
  if (metric.unit != known.unit) add_guess(table, "unit", metric.unit);
  if (metric.numbered != known.numbered) table.add("numbered", std::string(to_string(metric.numbered)));
  return table;
}

void add_pick(ProposedTable& table, Pick pick) {
  if (pick != Pick::none) table.add("pick", std::string(to_string(pick)));
}

ProposedTable rule_table_of(const OwnMetric& own) {
  const GuessedRule rule = rule_for(own.guess);
  ProposedTable table{"rules." + toml_key(own.guess.metric.name)};
  table.add("window", std::string(rule.window));
  table.add("reduce", std::string(rule.reduce));
  add_guess(table, "tolerance", tolerance_for(own, rule));
  return table;
}

}  // namespace

std::vector<ProposedTable> tables_of(const std::vector<OwnMetric>& metrics) {
  std::vector<ProposedTable> tables;
  for (const OwnMetric& own : metrics) {
    if (!own.pattern.empty()) {
      tables.push_back(metric_table_of(own));
      add_pick(tables.back(), own.guess.metric.pick);
    }
    if (!own.guess.is_progress) tables.push_back(rule_table_of(own));
  }
  return tables;
}

}  // namespace gate::config
