#include "gate/render/events.h"

#include <nlohmann/json.hpp>

#include "gate/render/table_json.h"

namespace gate::render {

namespace {

Json of(const RunPlanned& event) {
  return {{"event", "run_planned"},
          {"run", event.report.run},
          {"folder", event.folder},
          {"cases", event.report.count(Verdict::not_run)}};
}

Json of(const CaseStarted& event) {
  Json json{{"event", "case_started"}, {"case", event.name}};
  if (event.total) json["total"] = *event.total;
  if (!event.devices.empty()) json["devices"] = event.devices;
  if (event.expected > Duration{}) json["expected_s"] = static_cast<double>(event.expected.count()) / 1000;
  return json;
}

Json of(const SampleSeen& event) {
  Json json{{"event", "sample"}, {"case", event.case_name}, {"metric", event.metric}};
  if (event.rank) json["rank"] = *event.rank;
  json["number"] = event.sample.number;
  json["value"] = event.sample.text.empty() ? Json() : Json(event.sample.text);
  if (event.baseline && !event.baseline->text.empty()) json["baseline"] = event.baseline->text;
  return json;
}

Json of(const CaseFinished& event) {
  return {{"event", "case_finished"},
          {"case", event.report.name},
          {"verdict", to_string(event.report.verdict)},
          {"reason", event.report.reason},
          {"duration_s", static_cast<double>(event.report.duration.count()) / 1000}};
}

Json of(const RunFinished& event) {
  return {{"event", "run_finished"}, {"run", event.report.run}, {"exit_code", event.report.exit_code}};
}

Json of(const Message& event) {
  return {{"event", "message"}, {"case", event.case_name}, {"text", event.text}};
}

}  // namespace

std::string event_json(const Event& event) {
  return std::visit([](const auto& one) { return of(one); }, event)
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace gate::render
