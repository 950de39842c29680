#include <array>

#include "gate/render/history.h"
#include "gate/render/table_json.h"
#include "gate/schema/result_file.h"

namespace gate::render {

namespace {

OutputJson value_or_null(std::optional<double> value) {
  return value ? OutputJson(*value) : OutputJson(nullptr);
}

OutputJson run_json(const CasePoint& run) {
  return {{"run", run.run},
          {"started", run.started},
          {"commit", run.commit},
          {"host", run.host},
          {"command", run.command},
          {"altered", run.altered},
          {"verdict", to_string(run.verdict)},
          {"duration_s", static_cast<double>(run.duration.count()) / 1e3}};
}

OutputJson change_json(const Change& change, const CaseTrend& trend, const Trend& one) {
  return {{"run", trend.history.runs[one.runs[change.at]].run},
          {"until_run", trend.history.runs[one.runs[change.until]].run},
          {"earliest_run", trend.history.runs[one.runs[change.earliest]].run},
          {"latest_run", trend.history.runs[one.runs[change.latest]].run},
          {"shape", to_string(change.shape)},
          {"before", change.before},
          {"after", change.after},
          {"noise", change.noise},
          {"gain", change.gain}};
}

OutputJson trend_json(const CaseTrend& trend, const Trend& one) {
  OutputJson json{
      {"rule", one.key.rule},       {"metric", one.key.metric},    {"rank", nullptr},
      {"unit", one.key.unit},       {"window", one.key.window},    {"reduce", one.key.reduce},
      {"tolerance", one.tolerance}, {"kind", to_string(one.kind)}, {"better", to_string(one.better)}};
  if (one.key.rank) json["rank"] = *one.key.rank;
  json["first_baseline"] = value_or_null(one.first_baseline);
  json["baseline"] = value_or_null(one.baseline);
  json["baselines"] = one.baselines;
  json["level"] = one.levels.back();
  json["changes"] = OutputJson::array();
  for (const Change& change : one.changes) json["changes"].push_back(change_json(change, trend, one));
  json["points"] = OutputJson::array();
  for (std::size_t i = 0; i < one.values.size(); ++i)
    json["points"].push_back({{"run", trend.history.runs[one.runs[i]].run}, {"value", one.values[i]}});
  return json;
}

OutputJson test_json(const CaseTrend& trend, const TestTrend& test) {
  return {{"test", test.name},
          {"status", to_string(test.status)},
          {"since", trend.history.runs[test.since].run},
          {"runs", test.runs},
          {"red", test.red}};
}

OutputJson told_run_json(const CasePoint& run, const ToldCommit& commit) {
  return {{"run", run.run},
          {"started", run.started},
          {"commit", run.commit},
          {"commit_date", commit.date},
          {"commit_subject", commit.subject}};
}

OutputJson red_since_json(const CaseTrend& trend) {
  if (!trend.red) return nullptr;
  const RedSince& red = *trend.red;
  OutputJson json = told_run_json(trend.history.runs[red.first], red.first_commit);
  json["runs"] = red.runs;
  json["green"] = nullptr;
  if (red.green) json["green"] = told_run_json(trend.history.runs[*red.green], red.green_commit);
  json["bisect"] = red.bisect;
  return json;
}

OutputJson case_trend_json(const CaseTrend& trend) {
  OutputJson json{
      {"case", trend.history.name},   {"platform", trend.history.platform}, {"judged", trend.counted},
      {"green", trend.green},         {"flips", trend.flips.flips},         {"flip_pairs", trend.flips.pairs},
      {"hosts", OutputJson::array()}, {"runs", OutputJson::array()},        {"series", OutputJson::array()}};
  for (const HostCount& host : trend.hosts)
    json["hosts"].push_back({{"host", host.host}, {"runs", host.runs}, {"red", host.red}});
  for (const CasePoint& run : trend.history.runs) json["runs"].push_back(run_json(run));
  json["environment"] = OutputJson::array();
  for (const EnvironmentChange& change : trend.environment)
    json["environment"].push_back({{"run", trend.history.runs[change.at].run},
                                   {"changes", to_strings(change.changes)},
                                   {"host", change.host ? to_string(*change.host) : ""},
                                   {"flipped", change.is_flip}});
  json["red_since"] = red_since_json(trend);
  for (const Trend& one : trend.trends) json["series"].push_back(trend_json(trend, one));
  if (trend.can_leave_quarantine > 0) json["quarantine_can_go"] = trend.can_leave_quarantine;
  for (const TestTrend& test : trend.tests) json["tests"].push_back(test_json(trend, test));
  return json;
}

OutputJson spread_json(const Trend& one, const ValueSpread& spread) {
  OutputJson json{{"rule", one.key.rule}, {"metric", one.key.metric}, {"rank", nullptr},
                  {"unit", one.key.unit}, {"runs", spread.values},    {"median", nullptr}};
  if (one.key.rank) json["rank"] = *one.key.rank;
  if (spread.values > 0) json["median"] = spread.median;
  json["lower_quartile"] = spread.values > 1 ? OutputJson(spread.lower) : OutputJson(nullptr);
  json["upper_quartile"] = spread.values > 1 ? OutputJson(spread.upper) : OutputJson(nullptr);
  return json;
}

OutputJson groups_json(const CaseTrend& trend) {
  OutputJson json = OutputJson::array();
  for (const RunGroup& group : trend.groups) {
    OutputJson one{{"name", group.name.empty() ? OutputJson(nullptr) : OutputJson(group.name)},
                   {"runs", group.runs},
                   {"judged", group.judged},
                   {"green", group.green},
                   {"series", OutputJson::array()}};
    for (std::size_t i = 0; i < trend.trends.size(); ++i)
      one["series"].push_back(spread_json(trend.trends[i], group.spreads[i]));
    json.push_back(std::move(one));
  }
  return json;
}

std::string_view heat_word(HeatCell cell) {
  constexpr std::array<std::string_view, 5> words{"not_run", "green", "drifted", "red", "unclear"};
  return words[static_cast<std::size_t>(cell)];
}

OutputJson suite_run_json(const SuiteRun& run) {
  return {{"run", run.run}, {"started", run.started}, {"commit", run.commit}};
}

OutputJson start_json(const SuiteTrend& suite, const SuiteStart& start) {
  OutputJson json = suite_run_json(suite.runs[start.at]);
  json["place"] = start.place;
  json["environment"] = to_strings(start.changes);
  json["gain"] = value_or_null(start.gain);
  json["triage"] = OutputJson::parse(schema::write_triage(start.triage));
  return json;
}

OutputJson suite_json(const SuiteTrend& suite) {
  OutputJson json{{"runs", OutputJson::array()}, {"starts", OutputJson::array()}, {"latest", nullptr}};
  for (const SuiteRun& run : suite.runs) json["runs"].push_back(suite_run_json(run));
  for (const SuiteStart& start : suite.starts) json["starts"].push_back(start_json(suite, start));
  json["latest"] = OutputJson::parse(schema::write_triage(suite.latest));
  const DeviceUse& use = suite.device_use;
  const auto seconds = [](Duration time) { return static_cast<double>(time.count()) / 1e3; };
  if (use.runs > 0)
    json["device_use"] = {{"runs", use.runs},
                          {"used_s", seconds(use.used)},
                          {"saved_s", seconds(use.saved)},
                          {"hung_s", seconds(use.hung)},
                          {"infra_s", seconds(use.infra)},
                          {"idle_s", seconds(use.idle)},
                          {"duration_s", seconds(use.duration)},
                          {"best_duration_s", seconds(use.best)}};
  return json;
}

}  // namespace

std::string history_json(const SuiteTrend& suite) {
  OutputJson json{{"schema", "gate.trend/1"}, {"suite", suite_json(suite)}, {"cases", OutputJson::array()}};
  if (suite.by != RunsBy::nothing) json["by"] = to_string(suite.by);
  for (std::size_t i = 0; i < suite.cases.size(); ++i) {
    OutputJson one = case_trend_json(suite.cases[i]);
    one["cells"] = OutputJson::array();
    for (const HeatCell cell : suite.cells[i]) one["cells"].push_back(heat_word(cell));
    if (suite.by != RunsBy::nothing) one["groups"] = groups_json(suite.cases[i]);
    json["cases"].push_back(std::move(one));
  }
  return json_text(json);
}

}  // namespace gate::render
