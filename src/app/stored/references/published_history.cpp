// A published table of the latest green runs: the history keeps a number for each check, and so a figure for
// each metric that some rule is on.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gate/stored/reference.h"
#include "gate/suite/history.h"
#include "gate/suite/published.h"

namespace gate::app {

namespace {

std::optional<std::size_t> latest_green(const CaseHistory& history) {
  for (std::size_t i = history.runs.size(); i-- > 0;)
    if (was_judged(history.runs[i]) && history.runs[i].verdict == Verdict::passed) return i;
  return std::nullopt;
}

// What the first check of the metric, of all ranks together, compared in the run.
std::optional<PrintedFigure> figure_in(const CaseTrend& one, std::size_t run, std::string_view metric) {
  for (const Trend& trend : one.trends) {
    const auto found = std::ranges::find(trend.runs, run);
    if (trend.key.metric != metric || trend.key.rank || found == trend.runs.end()) continue;
    const double value = trend.values[static_cast<std::size_t>(found - trend.runs.begin())];
    const auto number = Decimal::parse(fmt::format("{:.6g}", value));
    if (number && is_published_speed(*number))
      return PrintedFigure{trend.key.metric, trend.key.unit, *number};
  }
  return std::nullopt;
}

CaseReport published_case(const config::Case* spec, const CaseTrend& one, std::optional<std::size_t> run) {
  CaseReport report;
  report.name = one.history.name;
  report.platform = one.history.platform;
  if (!run) return report;
  report.verdict = Verdict::passed;
  report.ran_on = one.history.runs[*run].ran_on;
  const std::string platform = report.platform.substr(0, report.platform.find('@'));
  if (spec != nullptr) report.performance = published_training(*spec, platform);
  if (!report.performance) report.performance.emplace();
  const auto has_metric = [&](std::string_view metric) { return figure_in(one, *run, metric).has_value(); };
  const std::string_view speed = spec == nullptr ? "" : published_metric(*spec);
  for (const PrintedMetric& printed : printed_metrics(has_metric(speed) ? speed : "", has_metric))
    report.performance->figures.push_back(*figure_in(one, *run, printed.metric));
  return report;
}

}  // namespace

Report published_history(const Suite& suite, const SuiteTrend& trends) {
  Report report;
  report.suite = suite.name;
  std::set<std::pair<std::string, std::string>> runs;
  std::set<std::string> commits;
  for (const CaseTrend& one : trends.cases) {
    const std::optional<std::size_t> run = latest_green(one.history);
    report.cases.push_back(published_case(suite.find(one.history.name), one, run));
    if (run) {
      const CasePoint& point = one.history.runs[*run];
      runs.emplace(point.started, point.run);
      commits.insert(point.commit);
    }
  }
  for (const auto& [started, run] : runs) report.merged.push_back(run);
  if (!runs.empty()) report.started = runs.rbegin()->first;
  if (commits.size() == 1) report.commit = *commits.begin();
  return report;
}

}  // namespace gate::app
