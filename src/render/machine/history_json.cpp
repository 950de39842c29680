#include <nlohmann/json.hpp>

#include "gate/render/history.h"
#include "gate/render/table_json.h"

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
          {"before", change.before},
          {"after", change.after},
          {"chance", change.chance}};
}

OutputJson trend_json(const CaseTrend& trend, const Trend& one) {
  OutputJson json{{"rule", one.key.rule},      {"metric", one.key.metric}, {"rank", nullptr},
                  {"unit", one.key.unit},      {"window", one.key.window}, {"reduce", one.key.reduce},
                  {"tolerance", one.tolerance}};
  if (one.key.rank) json["rank"] = *one.key.rank;
  json["first_baseline"] = value_or_null(one.first_baseline);
  json["baseline"] = value_or_null(one.baseline);
  json["baselines"] = one.baselines;
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

OutputJson case_trend_json(const CaseTrend& trend) {
  OutputJson json{
      {"case", trend.history.name},   {"platform", trend.history.platform}, {"judged", trend.counted},
      {"green", trend.green},         {"flips", trend.flips.flips},         {"flip_pairs", trend.flips.pairs},
      {"hosts", OutputJson::array()}, {"runs", OutputJson::array()},        {"series", OutputJson::array()}};
  for (const HostCount& host : trend.hosts)
    json["hosts"].push_back({{"host", host.host}, {"runs", host.runs}, {"red", host.red}});
  for (const CasePoint& run : trend.history.runs) json["runs"].push_back(run_json(run));
  for (const Trend& one : trend.trends) json["series"].push_back(trend_json(trend, one));
  for (const TestTrend& test : trend.tests) json["tests"].push_back(test_json(trend, test));
  return json;
}

}  // namespace

std::string history_json(const std::vector<CaseTrend>& trends) {
  OutputJson json{{"schema", "gate.trend/1"}, {"cases", OutputJson::array()}};
  for (const CaseTrend& trend : trends) json["cases"].push_back(case_trend_json(trend));
  return json_text(json);
}

}  // namespace gate::render
