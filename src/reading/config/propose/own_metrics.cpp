#include "gate/config/own_metrics.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "gate/extract/survey.h"
#include "gate/judge/trend.h"
#include "gate/model/rules/grammar.h"

namespace gate::config {

namespace {

constexpr const char* guessed = "    # guessed";
constexpr std::size_t usual_window = 10;
constexpr int usual_percent = 5, most_percent = 50;

// --- what the values tell ------------------------------------------------------------------------

double median_of_sizes(std::vector<double> values) {
  if (values.empty()) return 0;
  for (double& value : values) value = std::abs(value);
  return judge::value_in_order(values, values.size() / 2);
}

double least_size(const std::vector<double>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (const double value : values) least = std::min(least, std::abs(value));
  return values.empty() ? 0 : least;
}

bool is_constant(const std::vector<double>& values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

std::vector<double> last_of(const std::vector<double>& values, std::size_t count) {
  const std::size_t size = std::min(count, values.size() > 1 ? values.size() - 1 : values.size());
  return {values.end() - static_cast<std::ptrdiff_t>(size), values.end()};
}

double mean_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// How far means of two runs of such values may be apart, in percent: three times the noise of their
// difference, which is told by neighbours (a trend is none; von Neumann 1941: their mean distance is 1.128
// times the noise).
int margin_of(std::span<const double> values) {
  constexpr double distance_of_neighbours = 1.128, times = 3;
  const double mean = std::abs(mean_of(values));
  if (values.size() < 2 || mean == 0) return most_percent + 1;
  double sum = 0;
  for (std::size_t i = 1; i < values.size(); ++i) sum += std::abs(values[i] - values[i - 1]);
  const double noise = sum / static_cast<double>(values.size() - 1) / distance_of_neighbours;
  const double share = times * noise * std::sqrt(2.0 / static_cast<double>(values.size())) / mean * 100;
  return std::isfinite(share) && share <= most_percent ? static_cast<int>(std::ceil(share))
                                                       : most_percent + 1;
}

bool has_stalls(const std::vector<double>& values, double median) {
  return std::ranges::any_of(values, [&](double value) { return value > 3 * median || value * 3 < median; });
}

// --- rules ---------------------------------------------------------------------------------------

std::string signed_percent(const std::string& sign, int percent) {
  return sign + std::to_string(percent) + "%";
}

// An amount with one digit: `0.0005`.
std::string one_digit(double amount) {
  const int exponent = static_cast<int>(std::floor(std::log10(amount)));
  const auto digit = static_cast<std::int64_t>(std::max(1.0, std::round(amount / std::pow(10.0, exponent))));
  return Decimal{digit, exponent}.to_string();
}

// Of values near 0 a share is nothing, and an amount may allow anything: it follows from what they usually
// are.
OwnRule accuracy_rule(const OwnMetric& own) {
  constexpr int last_score = 3;  // losses, and what tells how good a model is
  constexpr double smallest = 0.1, usual_amount = 0.01;
  const bool is_score = own.guess.place <= last_score;
  const std::string sign = is_score && own.guess.metric.better == Better::higher ? "-" : "±";
  const int percent = is_score ? 2 : 10;
  const double least = least_size(own.values), usual = median_of_sizes(own.values);
  const double last_digit = own.last_digit.to_double();
  const std::string share = signed_percent(sign, percent);
  OwnRule rule{"all", "each", share};
  const bool is_yes_or_no = last_digit * 2 >= usual;
  if (is_yes_or_no && usual > 0) {
    rule.tolerance = "exact";
  } else if (usual == 0) {
    rule.tolerance = sign + (last_digit > 0 ? own.last_digit.to_string() : "0.01");
  } else if (least >= smallest) {
    rule.tolerance =
        sign + (last_digit > usual_amount ? own.last_digit.to_string() : "0.01") + " or " + share;
    if (last_digit > std::max(usual_amount, least * percent / 100))
      rule.tolerance = sign + own.last_digit.to_string();
  } else if (least * percent / 100 < std::max(last_digit, usual * percent / 100 / 50)) {
    rule.tolerance =
        sign +
        (last_digit > usual * percent / 100 ? own.last_digit.to_string() : one_digit(usual * percent / 100)) +
        " or " + share;
  }
  return rule;
}

// By the mean of the last values; of more of them where these are noisy; by the median where some stall.
std::optional<OwnRule> mean_rule(const OwnMetric& own, const std::string& sign) {
  std::size_t window = std::min(usual_window, own.values.size());
  int margin = margin_of(last_of(own.values, window));
  const std::size_t half = own.values.size() / 2;
  if (margin > usual_percent && half > window) {
    window = half;
    margin = margin_of(last_of(own.values, window));
  }
  const std::vector<double> values = last_of(own.values, window);
  const bool stalls = values.size() > 2 && has_stalls(values, median_of_sizes(values));
  if (stalls) {
    std::vector<double> sorted = values;
    std::ranges::sort(sorted);
    const std::size_t edge = sorted.size() / 4;
    margin = margin_of(std::span(sorted).subspan(edge, sorted.size() - 2 * edge)) + usual_percent;
  }
  if (own.values.size() < 2) margin = usual_percent;
  if (margin > most_percent) return std::nullopt;
  std::string tolerance = signed_percent(sign, std::max(usual_percent, margin));
  const double share = std::abs(mean_of(values)) * std::max(usual_percent, margin) / 100;
  if (own.last_digit.to_double() > share) tolerance = sign + own.last_digit.to_string();
  const std::string last = own.values.size() < 2 ? "all" : "last " + std::to_string(window);
  return OwnRule{last, stalls ? "median" : "mean", tolerance};
}

OwnRule memory_rule(const OwnMetric& own, bool is_left) {
  OwnRule rule = is_left ? OwnRule{"all", "min", "-10%"} : OwnRule{"all", "max", "+10%"};
  const bool is_coarse = own.last_digit.to_double() > median_of_sizes(own.values) / 10;
  if (is_coarse) rule.tolerance = rule.tolerance.front() + own.last_digit.to_string();
  return rule;
}

std::optional<OwnRule> other_rule(const OwnMetric& own) {
  constexpr int last_of_schedule = 8;  // learning rates and the like: a schedule says them
  if (is_constant(own.values) || extract::counts_evenly(own.values)) return OwnRule{"all", "each", "exact"};
  if (own.guess.place == last_of_schedule) {
    const bool is_coarse = own.last_digit.to_double() > least_size(own.values) * 2 / 100;
    return OwnRule{"all", "each", is_coarse ? "±" + own.last_digit.to_string() + " or ±2%" : "±2%"};
  }
  return mean_rule(own, "±");
}

// --- tables --------------------------------------------------------------------------------------

void add_guess(ProposedTable& table, const std::string& key, std::string_view text) {
  table.values.emplace_back(key, toml_text(text) + guessed);
}

ProposedTable metric_table_of(const OwnMetric& own) {
  const Metric& metric = own.guess.metric;
  const Metric known = MetricTable().get(metric.name);
  ProposedTable table{"metrics." + toml_key(metric.name)};
  if (own.printed != metric.name && !own.printed.empty()) table.comment = "printed as " + own.printed;
  if (!own.pattern.empty()) table.values.emplace_back("pattern", "'''" + own.pattern + "'''");
  if (!own.key.empty()) table.add("key", own.key);
  if (own.has_thousands) table.values.emplace_back("thousands", "true");
  if (metric.kind != known.kind) add_guess(table, "kind", to_string(metric.kind));
  if (metric.better != known.better) add_guess(table, "better", to_string(metric.better));
  if (metric.unit != known.unit) add_guess(table, "unit", metric.unit);
  if (metric.numbered != known.numbered) table.add("numbered", std::string(to_string(metric.numbered)));
  if (metric.pick != Pick::none) table.add("pick", std::string(to_string(metric.pick)));
  return table;
}

ProposedTable rule_table_of(const OwnMetric& own, const OwnRule& rule) {
  ProposedTable table{"rules." + toml_key(own.guess.metric.name)};
  table.add("window", rule.window);
  table.add("reduce", rule.reduce);
  add_guess(table, "tolerance", rule.tolerance);
  return table;
}

}  // namespace

std::optional<OwnRule> rule_of(const OwnMetric& own) {
  const Metric& metric = own.guess.metric;
  const bool is_higher = metric.better == Better::higher;
  if (own.guess.is_progress && !extract::counts_evenly(own.values)) return std::nullopt;
  switch (metric.kind) {
    case MetricKind::accuracy:
      return accuracy_rule(own);
    case MetricKind::speed:
      return mean_rule(own, is_higher ? "-" : "+");
    case MetricKind::memory:
      return memory_rule(own, is_higher);
    case MetricKind::other:
      break;
  }
  return other_rule(own);
}

Rule judged_rule(const OwnMetric& own, const OwnRule& text) {
  Rule rule;
  rule.name = rule.metric = own.guess.metric.name;
  rule.window = parse_window(text.window).value_or(Window{});
  rule.reduce = parse_reduce(text.reduce).value_or(Reduce::each);
  rule.tolerance = parse_tolerance(text.tolerance).value_or(Tolerance{});
  return rule;
}

std::vector<ProposedTable> tables_of(const std::vector<OwnMetric>& metrics) {
  std::vector<ProposedTable> tables;
  for (const OwnMetric& own : metrics) {
    if (!own.pattern.empty() || !own.key.empty()) tables.push_back(metric_table_of(own));
    if (const auto rule = rule_of(own)) tables.push_back(rule_table_of(own, *rule));
  }
  return tables;
}

}  // namespace gate::config
