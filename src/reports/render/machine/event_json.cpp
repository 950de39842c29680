#include "gate/render/events.h"

#include "gate/render/table_json.h"
#include "gate/schema/result_file.h"

namespace gate::render {

namespace {

OutputJson json_of(const RunPlanned& event) {
  return {{"event", "run_planned"},
          {"run", event.report.run},
          {"folder", event.folder},
          {"cases", event.report.count(Verdict::not_run)}};
}

OutputJson json_of(const CaseStarted& event) {
  OutputJson json{{"event", "case_started"}, {"case", event.name}};
  if (event.total) json["total"] = *event.total;
  if (!event.devices.empty()) json["devices"] = event.devices;
  if (!event.hosts.empty()) json["hosts"] = event.hosts;
  if (event.expected > Duration{}) json["expected_s"] = static_cast<double>(event.expected.count()) / 1000;
  return json;
}

OutputJson json_of(const LaunchBegun& event) {
  return {{"event", "launch_begun"}, {"case", event.case_name}, {"launch", event.number}};
}

OutputJson json_of(const SampleSeen& event) {
  OutputJson json{{"event", "sample"}, {"case", event.case_name}, {"metric", event.metric}};
  if (event.rank) json["rank"] = *event.rank;
  json["number"] = event.sample.number;
  json["value"] = event.sample.text.empty() ? OutputJson() : OutputJson(event.sample.text);
  if (event.baseline && !event.baseline->text.empty()) json["baseline"] = event.baseline->text;
  return json;
}

OutputJson json_of(const CaseFinished& event) {
  return {{"event", "case_finished"},
          {"case", event.report.name},
          {"verdict", to_string(event.report.verdict)},
          {"reason", event.report.reason.english()},
          {"duration_s", static_cast<double>(event.report.duration.count()) / 1000}};
}

OutputJson json_of(const RunFinished& event) {
  return {{"event", "run_finished"}, {"run", event.report.run}, {"exit_code", event.report.exit_code}};
}

OutputJson json_of(const Message& event) {
  return {{"event", "message"}, {"case", event.case_name}, {"text", event.text.english()}};
}

}  // namespace

std::string event_json(const Event& event) {
  return std::visit([](const auto& one) { return json_of(one); }, event)
      .dump(-1, ' ', false, OutputJson::error_handler_t::replace);
}

std::string live_line(const LiveSample& live) {
  const std::string value = word_in_unit(live.sample);
  return std::string(live.metric) + " " + (live.rank ? std::to_string(*live.rank) : std::string("-")) + " " +
         std::to_string(live.sample.number) + " " + (value.empty() ? "-" : value) + "\n";
}

std::string live_csv(const LiveSample& live, const std::string& file, const MetricTable& metrics) {
  const Metric metric = metrics.get(live.metric);
  Extraction one;
  one.files = {file};
  one.series.emplace_back(std::string(live.metric), live.rank, metric.unit, metric.numbered);
  Sample sample = live.sample;
  sample.file = 0;
  one.series.back().append(sample);
  std::string text;
  schema::write_csv(one, schema::WhichAttempts::judged, [&](std::string_view piece) { text += piece; });
  return text.substr(text.find('\n') + 1);
}

std::string live_json(const LiveSample& live, const std::string& file, const MetricTable& metrics) {
  OutputJson object{{"metric", live.metric}};
  if (live.rank) object["rank"] = *live.rank;
  object["number"] = live.sample.number;
  const std::string value = word_in_unit(live.sample);
  object["value"] = value.empty() ? OutputJson() : OutputJson(value);
  object["unit"] = metrics.get(live.metric).unit;
  object["file"] = file;
  object["line"] = live.sample.line;
  if (live.new_attempt) object["new_attempt"] = true;
  return object.dump(-1, ' ', false, OutputJson::error_handler_t::replace) + "\n";
}

}  // namespace gate::render
