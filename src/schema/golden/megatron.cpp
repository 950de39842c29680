#include "schema/golden/megatron.h"

#include <algorithm>

#include "gate/base/text.h"
#include "schema/golden/golden_series.h"

namespace gate::schema {

namespace {

bool is_megatron_series(const Json& member) { return member.find("start_step") != nullptr; }

// Return the step that a list starts with, or what lies between two of its elements.
int position(const Fields& fields, std::string_view key, int least) {
  if (fields.json().find(key) == nullptr) fields.missing(key, "; a list of values has no steps without it");
  const int number = fields.small_integer(key).value_or(least);
  if (number < least)
    fields.complaints().add(fields.json().find(key)->at, "must be at least " + std::to_string(least));
  return std::max(number, least);
}

void read_megatron_series(const Json& member, GoldenSeries& series, Complaints& complaints) {
  const Fields fields(member, complaints);
  const Json* values = member.find("values");
  if (values == nullptr) return fields.missing("values");
  const GoldenMetric metric = metric_of_key(member.key);
  if (values->kind == Json::Kind::object) return series.add_steps(member, *values, metric);
  if (values->kind == Json::Kind::list)
    return series.add_list(member, *values, metric,
                           {position(fields, "start_step", 0), position(fields, "step_interval", 1)});
  complaints.add(values->at, "\"values\" must be an object of steps or a list, not " +
                                 std::string(to_string(values->kind)));
}

// A file that announces more steps than it holds was cut, or written by hand.
void note_end(const Json& member, Baseline& baseline) {
  const Json *values = member.find("values"), *end = member.find("end_step");
  if (values == nullptr || end == nullptr || values->kind != Json::Kind::object) return;
  std::int64_t last = 0;
  for (const Json& step : values->items) last = std::max(last, parse_integer(step.key).value_or(0));
  if (parse_integer(end->text).value_or(last) > last)
    baseline.notes.push_back(printable(member.key, 80) + ": end_step is " + printable(end->text, 40) +
                             ", and the last step that the file holds is " + std::to_string(last));
}

void note_precision(const Json& document, Baseline& baseline) {
  std::map<std::string, std::vector<std::string>> keys;
  for (const Json& member : document.items)
    if (const Json* precision = member.find("value_precision");
        precision != nullptr && !precision->text.empty())
      keys[precision->text].push_back(printable(member.key, 80));
  for (const auto& [precision, of] : keys)
    baseline.notes.push_back(join(of, ", ") + ": value_precision is " + printable(precision, 40));
}

}  // namespace

bool is_megatron(const Json& document) { return std::ranges::any_of(document.items, is_megatron_series); }

Baseline read_megatron(const Json& document, Complaints& complaints) {
  Baseline baseline;
  baseline.runs.emplace_back();
  GoldenSeries series(Texts::any, complaints);
  for (const Json& member : document.items)
    if (is_megatron_series(member) || member.find("values") != nullptr)
      read_megatron_series(member, series, complaints);
    else
      series.skip(member);
  series.move_into(baseline);
  for (const Json& member : document.items) note_end(member, baseline);
  note_precision(document, baseline);
  return baseline;
}

}  // namespace gate::schema
