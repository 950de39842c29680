#include "gate/render/live_sample.h"

#include <nlohmann/json.hpp>

#include "gate/render/table_json.h"
#include "gate/schema/result_file.h"

namespace gate::render {

std::string live_line(const LiveSample& live) {
  const std::string value = live.sample.text.empty() ? "-" : live.sample.text;
  return std::string(live.metric) + " " + (live.rank ? std::to_string(*live.rank) : std::string("-")) + " " +
         std::to_string(live.sample.number) + " " + value + "\n";
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
  schema::write_csv(one, schema::Attempts::judged, [&](std::string_view piece) { text += piece; });
  return text.substr(text.find('\n') + 1);
}

std::string live_json(const LiveSample& live, const std::string& file, const MetricTable& metrics) {
  Json object{{"metric", live.metric}};
  if (live.rank) object["rank"] = *live.rank;
  object["number"] = live.sample.number;
  object["value"] = nullptr;
  if (!live.sample.text.empty()) object["value"] = live.sample.text;
  object["unit"] = metrics.get(live.metric).unit;
  object["file"] = file;
  object["line"] = live.sample.line;
  if (live.new_attempt) object["new_attempt"] = true;
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gate::render
