#include "schema/golden/bridge.h"

#include <algorithm>

#include "gate/base/text.h"
#include "schema/golden/golden_series.h"

namespace gate::schema {

namespace {

bool is_step(const Json& member) {
  return member.kind == Json::Kind::object && parse_integer(member.key).has_value();
}

// Return one object of steps for each key of the steps, in the order in which the keys first appear.
std::vector<Json> by_metric(const Json& document) {
  std::vector<Json> columns;
  std::map<std::string, std::size_t> places;
  for (const Json& step : document.items) {
    if (!is_step(step)) continue;
    for (const Json& value : step.items) {
      const auto [place, is_new] = places.emplace(value.key, columns.size());
      if (is_new) columns.push_back({Json::Kind::object, value.at, value.key_at, value.key, "", {}});
      columns[place->second].items.push_back(value);
      columns[place->second].items.back().key = step.key;
      columns[place->second].items.back().key_at = step.key_at;
    }
  }
  return columns;
}

}  // namespace

bool is_megatron_bridge(const Json& document) { return std::ranges::any_of(document.items, is_step); }

Baseline read_megatron_bridge(const Json& document, Complaints& complaints) {
  Baseline baseline;
  baseline.runs.emplace_back();
  baseline.notes.emplace_back(
      "the file counts steps from 0; its \"0\" is taken as step 1, as the log counts");
  GoldenSeries series(Texts::any, complaints);
  for (const Json& column : by_metric(document))
    series.add_steps(column, column, metric_of_key(column.key), 1);
  for (const Json& member : document.items)
    if (!is_step(member)) series.skip(member);
  series.move_into(baseline);
  return baseline;
}

}  // namespace gate::schema
