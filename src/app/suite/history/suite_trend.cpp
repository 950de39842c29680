#include "suite/history/suite_trend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "gate/base/natural.h"
#include "gate/judge/suite_shift.h"
#include "gate/judge/triage.h"
#include "gate/model/rules/grammar.h"
#include "gate/suite/history.h"

namespace gate::app {

namespace {

constexpr std::size_t fewest_in_suite = 3;
constexpr std::size_t runs_beside = 10;  // a start that count, and that the latest one is held against
constexpr std::size_t near_start = 3;    // runs within which two starts are one

// By what runs are in order, those of the suite and those of a case.
constexpr auto time_order_of = [](const auto& run) {
  return std::tie(run.started, run.number, run.run, run.commit);
};

std::vector<SuiteRun> suite_runs_of(const std::vector<CaseTrend>& cases) {
  std::vector<SuiteRun> runs;
  for (const CaseTrend& one : cases)
    for (const CasePoint& point : one.history.runs)
      if (is_counted(point)) runs.push_back({point.started, point.number, point.run, point.commit});
  if (!std::ranges::is_sorted(runs)) std::ranges::sort(runs);  // those of one case are
  runs.erase(std::unique(runs.begin(), runs.end()), runs.end());
  return runs;
}

// Return the number of each run of the case among the suite's; of runs that do not count any.
std::vector<std::size_t> run_numbers_of(const CaseHistory& history, const std::vector<SuiteRun>& runs) {
  std::vector<std::size_t> numbers;
  auto at = runs.begin();  // mostly the one behind the last one found
  for (const CasePoint& point : history.runs) {
    if (at == runs.end() || time_order_of(*at) != time_order_of(point))
      at = std::ranges::lower_bound(runs, time_order_of(point), {}, time_order_of);
    numbers.push_back(static_cast<std::size_t>(at - runs.begin()));
    if (at != runs.end()) ++at;
  }
  return numbers;
}

// One series of each case in a metric at a place, and where it is from.
struct MetricOfSuite {
  std::vector<judge::CaseValues> values;
  std::vector<Trend*> trends;  // beside them
};
using PlaceAndMetric = std::pair<std::string, std::string>;

// Of several ranks or rules of a case the first one stands for all. Fewer cases do nothing together.
std::map<PlaceAndMetric, MetricOfSuite> metrics_of(std::vector<CaseTrend>& cases,
                                                   const std::vector<std::vector<std::size_t>>& numbers) {
  std::map<PlaceAndMetric, MetricOfSuite> all;
  if (cases.size() < fewest_in_suite) return all;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::set<std::string> seen;
    for (Trend& trend : cases[i].trends) {
      if (!seen.insert(trend.key.metric).second) continue;
      const CaseHistory& history = cases[i].history;
      judge::CaseValues values{history.name,
                               history.platform,
                               parse_tolerance(trend.tolerance).value_or(Tolerance{}),
                               {},
                               trend.values};
      values.runs.reserve(trend.runs.size());
      for (const std::size_t run : trend.runs) values.runs.push_back(numbers[i][run]);
      MetricOfSuite& metric = all[{history.platform, trend.key.metric}];
      metric.values.push_back(std::move(values));
      metric.trends.push_back(&trend);
    }
  }
  return all;
}

// Return where most of the cases at a place ran on something else than before.
std::vector<SuiteStart> starts_of_environment(const std::vector<CaseTrend>& cases,
                                              const std::vector<std::vector<std::size_t>>& numbers) {
  std::map<std::pair<std::string, std::size_t>, std::map<FactChange, std::size_t>> changes;
  std::map<std::string, std::size_t> cases_at;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string& place = cases[i].history.platform;
    ++cases_at[place];
    for (const EnvironmentChange& one : cases[i].environment)
      for (const FactChange& change : one.changes) ++changes[{place, numbers[i][one.at]}][change];
  }
  std::vector<SuiteStart> starts;
  for (const auto& [at, counts] : changes) {
    SuiteStart start{at.first, at.second, {}, {}};
    for (const auto& [change, count] : counts)
      if (count >= fewest_in_suite && 2 * count > cases_at[at.first]) start.changes.push_back(change);
    if (!start.changes.empty()) starts.push_back(std::move(start));
  }
  return starts;
}

SuiteStart* start_near(std::vector<SuiteStart>& starts, const std::string& place, std::size_t run) {
  const auto distance = [&](const SuiteStart& one) { return one.at > run ? one.at - run : run - one.at; };
  SuiteStart* nearest = nullptr;
  for (SuiteStart& one : starts)
    if (one.place == place && distance(one) <= near_start &&
        (nearest == nullptr || distance(one) < distance(*nearest)))
      nearest = &one;
  return nearest;
}

// The clearest shift of any metric says where the start is, unless the environment does.
void add_shifts(std::vector<SuiteStart>& starts, const std::map<PlaceAndMetric, MetricOfSuite>& metrics) {
  std::vector<std::tuple<double, std::string, std::size_t>> shifts;
  for (const auto& [key, metric] : metrics)
    for (const judge::SuiteShift& shift : judge::suite_shifts(metric.values))
      shifts.emplace_back(shift.gain, key.first, shift.run);
  std::ranges::sort(shifts, std::ranges::greater());
  for (const auto& [gain, place, run] : shifts) {
    SuiteStart* known = start_near(starts, place, run);
    if (known == nullptr) known = &starts.emplace_back(SuiteStart{place, run, {}, {}});
    known->gain = std::max(known->gain.value_or(0), gain);
  }
  std::ranges::sort(starts, {}, [](const SuiteStart& one) { return std::tie(one.at, one.place); });
}

std::vector<std::size_t> starts_at(const std::vector<SuiteStart>& starts, const std::string& place) {
  std::vector<std::size_t> runs;
  for (const SuiteStart& start : starts)
    if (start.place == place) runs.push_back(start.at);
  return runs;
}

bool moved_with(const Triage& triage, const std::string& name) {
  return std::ranges::find(triage.together, name, &Move::case_name) != triage.together.end();
}

// Tell of each start how the metric moved there, and leave each case what is its own.
void take_suite_out(std::vector<SuiteStart>& starts, const PlaceAndMetric& key, MetricOfSuite& metric,
                    std::size_t runs) {
  const std::vector<std::size_t> at = starts_at(starts, key.first);
  std::vector<std::vector<judge::SharedShift>> shared(metric.values.size());
  std::size_t k = 0;
  for (SuiteStart& start : starts) {
    if (start.place != key.first) continue;
    const std::size_t from = k == 0 ? 0 : at[k - 1], to = k + 1 < at.size() ? at[k + 1] : runs;
    Triage moves =
        judge::moves_at(key.second, metric.values, std::max(from, at[k] - std::min(at[k], runs_beside)),
                        at[k], std::min(to, at[k] + runs_beside));
    ++k;
    if (!judge::is_one_sided(moves)) continue;
    for (std::size_t i = 0; i < metric.values.size(); ++i)
      if (moved_with(moves, metric.values[i].case_name))
        shared[i].push_back({start.at, moves.metrics.front().median});
    judge::add_moves(start.triage, std::move(moves));
  }
  for (std::size_t i = 0; i < metric.values.size(); ++i)
    if (!shared[i].empty()) take_fit(*metric.trends[i], judge::own_fit(metric.values[i], shared[i]));
}

// The runs in which a metric is worse than when its baseline was accepted: a green one is told as drifted.
std::set<std::size_t> drifted_runs(const CaseTrend& trend) {
  std::set<std::size_t> runs;
  for (const Trend& one : trend.trends) {
    if (one.changes.empty()) continue;
    std::size_t begin = 0;  // of the baseline
    for (std::size_t i = 0; i < one.runs.size(); ++i) {
      if (one.baselines_beside[i] != one.baselines_beside[begin]) begin = i;
      if (has_drifted(one, begin, i)) runs.insert(one.runs[i]);
    }
  }
  return runs;
}

HeatCell cell_of(const CasePoint& point, bool drifted) {
  if (point.verdict == Verdict::not_run) return HeatCell::not_run;
  if (!was_judged(point)) return HeatCell::unclear;
  if (point.verdict != Verdict::passed) return HeatCell::red;
  return drifted ? HeatCell::drifted : HeatCell::green;
}

std::vector<HeatCell> cells_of(const CaseTrend& trend, const std::vector<std::size_t>& numbers,
                               std::size_t runs) {
  std::vector<HeatCell> cells(runs, HeatCell::not_run);
  const std::set<std::size_t> drifted = drifted_runs(trend);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (is_counted(trend.history.runs[i]))
      cells[numbers[i]] = cell_of(trend.history.runs[i], drifted.contains(i));
  return cells;
}

bool in_natural_order(const CaseTrend& a, const CaseTrend& b) {
  if (a.history.name != b.history.name) return natural_less(a.history.name, b.history.name);
  return a.history.platform < b.history.platform;
}

}  // namespace

bool is_counted(const CasePoint& point) { return point.command == "run" && !point.altered; }

bool is_own_verdict(Verdict verdict) {
  constexpr std::array without{Verdict::interrupted, Verdict::not_run, Verdict::skipped, Verdict::infra,
                               Verdict::unjudged};
  return std::ranges::find(without, verdict) == without.end();
}

void take_fit(Trend& trend, judge::LevelFit fit) {
  trend.changes = std::move(fit.changes);
  trend.levels = std::move(fit.levels);
}

bool is_worse(Better better, double before, double after) {
  return better == Better::none || (after > before) != (better == Better::higher);
}

std::size_t baseline_begin(const Trend& trend, std::size_t at) {
  while (at > 0 && trend.baselines_beside[at - 1] == trend.baselines_beside[at]) --at;
  return at;
}

bool has_drifted(const Trend& trend, std::size_t from, std::size_t at) {
  const double before = trend.levels[from], now = trend.levels[at];
  return std::abs(now - before) > std::max(trend.least / 2, 1e-9 * std::abs(before)) &&
         is_worse(trend.better, before, now);
}

bool was_judged(const CasePoint& point) { return is_counted(point) && is_own_verdict(point.verdict); }

bool has_baseline_since(const Trend& trend, std::size_t at) {
  const auto& baselines = trend.baselines_beside;
  return std::any_of(baselines.begin() + static_cast<std::ptrdiff_t>(at), baselines.end(),
                     [&](const auto& one) { return one != baselines[at - 1]; });
}

SuiteTrend suite_trend(std::vector<CaseTrend> cases) {
  SuiteTrend suite;
  std::ranges::sort(cases, in_natural_order);
  suite.cases = std::move(cases);
  suite.runs = suite_runs_of(suite.cases);
  std::vector<std::vector<std::size_t>> numbers;
  for (const CaseTrend& one : suite.cases) numbers.push_back(run_numbers_of(one.history, suite.runs));
  auto metrics = metrics_of(suite.cases, numbers);
  suite.starts = starts_of_environment(suite.cases, numbers);
  add_shifts(suite.starts, metrics);
  const std::size_t runs = suite.runs.size();
  for (auto& [key, metric] : metrics) {
    take_suite_out(suite.starts, key, metric, runs);
    if (runs < 2) continue;
    Triage latest = judge::moves_at(key.second, metric.values,
                                    runs > runs_beside ? runs - 1 - runs_beside : 0, runs - 1, runs);
    if (judge::is_one_sided(latest) || !latest.apart.empty())
      judge::add_moves(suite.latest, std::move(latest));
  }
  std::erase_if(suite.starts,
                [](const SuiteStart& one) { return one.changes.empty() && one.triage.metrics.empty(); });
  for (std::size_t i = 0; i < suite.cases.size(); ++i)
    suite.cells.push_back(cells_of(suite.cases[i], numbers[i], runs));
  return suite;
}

}  // namespace gate::app
