#include "render/machine/triage_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

namespace gate::render {

namespace {

// What lies below six decimals is noise of the arithmetic.
double six_decimals(double percent) { return std::round(percent * 1e6) / 1e6; }

OutputJson move_json(const Move& move) {
  OutputJson json{{"case", move.case_name},
                  {"place", move.place},
                  {"metric", move.metric},
                  {"percent", six_decimals(move.percent)},
                  {"units", six_decimals(move.units)}};
  if (!move.by_spike) return json;
  json["spike"] = {
      {"percent", six_decimals(*move.spike)}, {"at", move.spike_at}, {"numbered", to_string(move.numbered)}};
  return json;
}

}  // namespace

OutputJson triage_json(const Triage& triage) {
  OutputJson json{{"metrics", OutputJson::array()}, {"apart", OutputJson::array()}};
  for (const MetricTriage& one : triage.metrics)
    json["metrics"].push_back({{"metric", one.metric},
                               {"cases", one.cases},
                               {"together", one.together},
                               {"median_percent", six_decimals(one.median)},
                               {"least_percent", six_decimals(one.least)},
                               {"most_percent", six_decimals(one.most)}});
  for (const Move& move : triage.apart) json["apart"].push_back(move_json(move));
  return json;
}

}  // namespace gate::render
