#include "gate/render/explain.h"

#include <nlohmann/json.hpp>

#include "gate/base/columns.h"
#include "gate/render/table_json.h"
#include "gate/schema/result_file.h"

namespace gate::render {

namespace {

std::string indented(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out += "  " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

std::string values_table(const Explained& explained, const Style& style) {
  if (explained.values.empty()) return "";
  std::vector<std::vector<std::string>> rows{
      {std::string(to_string(explained.check.numbering())), "baseline", "actual", "delta"}};
  for (const ExplainedValue& value : explained.values)
    rows.push_back({std::to_string(value.number), value.baseline, value.actual, value.delta});
  return indented(table(rows, style));
}

Json values_json(const Explained& explained) {
  Json values = Json::array();
  for (const ExplainedValue& value : explained.values)
    values.push_back({{"number", value.number},
                      {"baseline", value.baseline},
                      {"actual", value.actual},
                      {"delta", value.delta}});
  return values;
}

}  // namespace

std::string explain_text(const Explanation& explanation, bool values, const Style& style) {
  const CaseReport& report = explanation.report;
  std::string out =
      safe(report.name) + ": " + std::string(to_string(report.verdict)) + "  " + safe(report.reason) + "\n";
  if (report.profile != "gate") out += "judged by profile " + report.profile + "\n";
  if (report.cause) out += "\n" + explain(*report.cause, style);
  for (const Explained& explained : explanation.checks) {
    out += "\n" + explain(explained.check, explained.lines, style);
    if (values) out += values_table(explained, style);
  }
  if (!explanation.ungated.empty()) out += "\n" + explain(explanation.ungated, style);
  if (values && !explanation.note.empty()) out += "\nnote  " + explanation.note + "\n";
  return out;
}

std::string explain_json(const Explanation& explanation) {
  CaseReport report = explanation.report;
  report.checks.clear();
  for (const Explained& explained : explanation.checks) report.checks.push_back(explained.check);
  Json json = Json::parse(schema::write_case(report));
  for (std::size_t i = 0; i < explanation.checks.size(); ++i) {
    json["checks"][i]["values"] = values_json(explanation.checks[i]);
    json["checks"][i]["log_lines"] = explanation.checks[i].lines;
  }
  return json_text(json);
}

}  // namespace gate::render
