#include <algorithm>

#include "gate/base/text.h"
#include "gate/model/numbers/metric.h"
#include "schema/golden/golden_series.h"
#include "schema/golden/reader.h"

namespace gate::schema {

namespace {

bool is_flagscale_series(const Json& member) {
  const Json* values = member.find("values");
  return values != nullptr && member.kind == Json::Kind::object;
}

bool holds_series(const Json& object) { return std::ranges::any_of(object.items, is_flagscale_series); }

// Return the only member, or nullptr after a complaint.
const Json* only_member(const Json& object, std::string_view what, Complaints& complaints) {
  if (object.items.size() == 1) return &object.items.front();
  const auto keys = texts_of(object.items, [&](const Json& member) { return printable(member.key, 40); });
  complaints.add(object.at, "holds values of several " + std::string(what) + " (" +
                                printable(join(keys, ", "), 120) +
                                "); keep those of one, the one to compare with");
  return nullptr;
}

// Return the object whose members are series, or nullptr after a complaint.
const Json* object_of_series(const Json& document, Baseline& baseline, Complaints& complaints) {
  if (holds_series(document)) return &document;
  const Json* vendor = only_member(document, "vendors", complaints);
  const Json* device = vendor == nullptr ? nullptr : only_member(*vendor, "devices", complaints);
  if (device != nullptr)
    baseline.notes.push_back(say({"the values are of {}, device {}", "取值属于 {}，设备 {}"},
                                 printable(vendor->key, 40), printable(device->key, 40)));
  return device;
}

void note_unused(const Json& member, const std::string& what, Baseline& baseline) {
  baseline.notes.push_back(say({"{}: {} stands in the file; gate's own rules do not use it",
                                "{}：文件里写有 {}；gate 自己的规则不使用它"},
                               printable(member.key, 80), what));
}

void read_threshold(const Json& member, const std::string& metric, Baseline& baseline,
                    Complaints& complaints) {
  const Json* found = member.find("threshold");
  if (found == nullptr) return;
  const Fields threshold(*found, complaints);
  const std::string type = threshold.text("type");
  if (threshold.member("tolerance", Json::Kind::number) == nullptr) return;
  const std::string tolerance = threshold.word("tolerance");
  const Better better = MetricTable().get(metric).better;
  const bool bounds_the_bad_side = (type == "upper_bound" && better == Better::lower) ||
                                   (type == "lower_bound" && better == Better::higher);
  if (bounds_the_bad_side) baseline.margins[metric] = tolerance;
  note_unused(member, "threshold " + printable(type, 40) + " " + tolerance, baseline);
}

void read_flagscale_series(Json member, GoldenSeries& series, Baseline& baseline, Complaints& complaints) {
  const Json* list = Fields(member, complaints).member("values", Json::Kind::list);
  if (list == nullptr) return;
  if (member.key.ends_with(':')) member.key.pop_back();
  const GoldenMetric metric = metric_of_key(member.key);
  series.add_list(member, *list, metric);
  read_threshold(member, metric.name, baseline, complaints);
  for (const std::string_view key : {"rtol", "atol"})
    if (const Json* found = member.find(key))
      note_unused(member, std::string(key) + " " + printable(found->text, 40), baseline);
}

}  // namespace

bool is_flagscale(const Json& document) {
  // Vendors stand at the top of the benchmark form, their devices below.
  return holds_series(document) || std::ranges::any_of(document.items, [](const Json& vendor) {
           return std::ranges::any_of(vendor.items, holds_series);
         });
}

Baseline read_flagscale(const Json& document, Complaints& complaints) {
  Baseline baseline;
  const Json* object = object_of_series(document, baseline, complaints);
  if (object == nullptr) return baseline;
  GoldenSeries series(Texts::any, complaints);
  for (const Json& member : object->items)
    if (is_flagscale_series(member))
      read_flagscale_series(member, series, baseline, complaints);
    else
      series.skip(member);
  series.move_into(baseline);
  return baseline;
}

}  // namespace gate::schema
