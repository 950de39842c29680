#include "gate/judge/triage.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "gate/judge/trend.h"

namespace gate::judge {

namespace {

constexpr std::size_t fewest_cases = 3;
constexpr double units_apart = 4;
constexpr double least_share_of_tolerance = 0.1;
constexpr double least_percent = 0.01;  // of a metric whose tolerance is no share of the baseline

double number_of(const std::optional<Value>& value) {
  return value && value->is_finite() ? value->number.to_double() : std::nan("");
}

// Return nothing where a number is missing or the baseline is 0.
std::optional<double> percent_between(double actual, double baseline) {
  const double percent = (actual - baseline) / std::abs(baseline) * 100;
  return std::isfinite(percent) ? std::optional(percent) : std::nullopt;
}

std::optional<WeighedMove> move_of(const CaseReport& one, const Check& check) {
  const bool each = check.is_each() && check.mean && check.baseline_mean;
  const double baseline = each ? *check.baseline_mean : number_of(check.baseline);
  const auto percent = percent_between(each ? *check.mean : number_of(check.actual), baseline);
  if (check.compared == 0 || !percent) return std::nullopt;
  WeighedMove found = weighed({.case_name = one.name,
                               .place = one.place(),
                               .metric = check.metric,
                               .percent = *percent,
                               .numbered = check.numbering()},
                              check.tolerance, baseline);
  if (!check.is_each() || !check.largest) return found;
  const auto farthest = percent_between(number_of(check.largest->actual), number_of(check.largest->baseline));
  found.move.spike = farthest;
  found.move.spike_at = check.largest->number;
  return found;
}

double spike_of(const Move& move) { return move.spike ? std::abs(*move.spike - move.percent) : 0; }

double reach_of(const Move& move) { return std::max(std::abs(move.percent), spike_of(move)); }

// Tell whether the case was measured to its end: what one that hung or printed NaN had measured by then tells
// nothing of the suite.
bool is_measured(const CaseReport& one) {
  const bool has_ended = !one.outcome || ended_well(*one.outcome);
  const bool is_whole = !one.total || one.steps >= *one.total;
  return has_ended && is_whole && one.verdict != Verdict::incomplete && one.verdict != Verdict::interrupted &&
         std::ranges::none_of(one.checks, &Check::has_no_number);
}

std::map<std::string, std::vector<WeighedMove>> moves_by_metric(std::span<const CaseReport> cases) {
  std::map<std::string, std::vector<WeighedMove>> all;
  for (const CaseReport& one : cases) {
    if (!is_measured(one)) continue;
    std::map<std::string, WeighedMove> own;
    for (const Check& check : one.checks)
      if (auto move = move_of(one, check)) {
        const auto [held, fresh] = own.try_emplace(check.metric, *move);
        if (!fresh && reach_of(move->move) > reach_of(held->second.move)) held->second = *move;
      }
    for (auto& [metric, move] : own) all[metric].push_back(std::move(move));
  }
  return all;
}

struct Spread {
  double median = 0;
  double noise = 0;

  double units(double value, const WeighedMove& one) const {
    const double unit = std::max(noise, one.floor);
    return (value - median) / std::min(unit, one.ceiling.value_or(unit));
  }
};

Spread suite_spread(const std::vector<double>& values) {
  constexpr double to_deviation = 1.4826;
  const double median = median_of(values);
  std::vector<double> off;
  for (const double value : values) off.push_back(std::abs(value - median));
  return {median, median_of(off) * to_deviation};
}

void measure(std::vector<WeighedMove>& moves) {
  std::vector<double> percents, spikes;
  for (const WeighedMove& one : moves) {
    percents.push_back(one.move.percent);
    if (one.move.spike) spikes.push_back(spike_of(one.move));
  }
  const Spread shift = suite_spread(percents), spike = suite_spread(spikes);
  for (WeighedMove& one : moves) {
    Move& move = one.move;
    const double by_shift = std::abs(shift.units(move.percent, one));
    const double by_spike = move.spike ? spike.units(spike_of(move), one) : 0;
    move.by_spike = by_spike > by_shift;
    move.units = std::max(by_shift, by_spike);
  }
}

MetricTriage metric_triage(const std::string& metric, const std::vector<WeighedMove>& moves) {
  MetricTriage told{.metric = metric, .cases = moves.size()};
  std::vector<double> together;
  for (const WeighedMove& one : moves)
    if (one.move.units <= units_apart) together.push_back(one.move.percent);
  told.together = together.size();
  if (together.empty()) return told;
  const auto [least, most] = std::ranges::minmax(together);
  told.least = least;
  told.most = most;
  const Spread spread = suite_spread(together);
  told.median = spread.median;
  told.noise = spread.noise;
  return told;
}

std::size_t cases_of(const std::vector<WeighedMove>& moves) {
  std::set<std::string> names;
  for (const WeighedMove& one : moves) names.insert(one.move.case_name);
  return names.size();
}

bool is_farther(const Move& a, const Move& b) {
  return std::tuple(-a.units, std::tie(a.case_name, a.place, a.metric)) <
         std::tuple(-b.units, std::tie(b.case_name, b.place, b.metric));
}

}  // namespace

double allowed_percent(const Tolerance& tolerance, double baseline) {
  double widest = 0;
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    for (const Bound& bound : all_of) {
      const double amount = bound.amount.to_double();
      if (bound.kind == Bound::Kind::relative) widest = std::max(widest, amount * 100);
      if (bound.kind == Bound::Kind::absolute && baseline != 0)
        widest = std::max(widest, amount / std::abs(baseline) * 100);
    }
  return widest;
}

WeighedMove weighed(Move move, const Tolerance& tolerance, double baseline) {
  const double allowed = allowed_percent(tolerance, baseline);
  WeighedMove found{std::move(move), std::max(least_percent, allowed * least_share_of_tolerance)};
  if (allowed > 0) found.ceiling = std::max(found.floor, allowed / units_apart);
  return found;
}

Triage triage_of(const std::string& metric, std::vector<WeighedMove> moves) {
  Triage triage;
  if (cases_of(moves) < fewest_cases) return triage;
  measure(moves);
  if (std::ranges::all_of(moves, [](const auto& one) { return reach_of(one.move) == 0; })) return triage;
  triage.metrics.push_back(metric_triage(metric, moves));
  for (WeighedMove& one : moves)
    (one.move.units > units_apart ? triage.apart : triage.together).push_back(std::move(one.move));
  std::ranges::sort(triage.apart, is_farther);
  std::ranges::sort(triage.together, is_farther);
  return triage;
}

void add_moves(Triage& all, Triage one) {
  std::ranges::move(one.metrics, std::back_inserter(all.metrics));
  std::ranges::move(one.apart, std::back_inserter(all.apart));
  std::ranges::move(one.together, std::back_inserter(all.together));
}

bool is_of(const Move& move, const CaseReport& report) {
  return move.case_name == report.name && move.place == report.place();
}

const Check* unmoved_check(const Triage& triage, const CaseReport& report,
                           const std::function<bool(const std::string& metric)>& is_chosen) {
  const auto is_unmoved = [&](const Check& check) {
    if (check.status == CheckStatus::pass || (is_chosen && !is_chosen(check.metric))) return false;
    const bool has_move = std::ranges::any_of(triage.together, [&](const Move& move) {
      return is_of(move, report) && move.metric == check.metric;
    });
    return check.status != CheckStatus::fail || check.compared == 0 || !has_move;
  };
  const auto found = std::ranges::find_if(report.checks, is_unmoved);
  return found == report.checks.end() ? nullptr : &*found;
}

Triage triage(std::span<const CaseReport> cases) {
  Triage triage;
  for (auto& [metric, moves] : moves_by_metric(cases)) add_moves(triage, triage_of(metric, std::move(moves)));
  std::ranges::sort(triage.apart, is_farther);
  std::ranges::sort(triage.together, is_farther);
  return triage;
}

}  // namespace gate::judge
