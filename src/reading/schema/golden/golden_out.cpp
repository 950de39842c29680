#include <algorithm>
#include <array>
#include <map>

#include "gate/base/text.h"
#include "gate/schema/golden_out.h"

namespace gate::schema {

namespace {

struct ListRow {
  std::string_view format, key, metric;
};

// In the order of the tools' own files.
constexpr std::array written_lists{
    ListRow{"modellink", "lm loss", "lm_loss"},
    ListRow{"modellink", "throughput", "throughput"},
    ListRow{"mindspeed-llm", "lm loss", "lm_loss"},
    ListRow{"mindspeed-llm", "grad norm", "grad_norm"},
    ListRow{"mindspeed-llm", "time info", "iteration_time"},
    ListRow{"mindspeed-mm", "loss", "lm_loss"},
    ListRow{"mindspeed-mm", "time", "iteration_time"},
};

// The values by their numbers; one that was not recorded is "nan".
std::vector<std::string> values_of(const Series& series) {
  std::map<std::int64_t, std::string> values;
  for (const std::int64_t number : series.unrecorded()) values[number] = "\"nan\"";
  for (const Sample& sample : series.samples())
    values[sample.number] = sample.value.is_finite() ? sample.value.number.to_string() : "\"nan\"";
  std::vector<std::string> all;
  for (const auto& [number, value] : values) all.push_back("        " + value);
  return all;
}

// An entry for each report of each rank.
std::vector<std::string> memory_of(const std::vector<Series>& all) {
  std::vector<std::string> entries;
  for (const Series& series : all) {
    const Series* const most = series.metric() == "memory_allocated"
                                   ? find_series(all, "memory_max_allocated", series.rank())
                                   : nullptr;
    if (most == nullptr || !series.rank()) continue;
    for (const Sample& sample : series.samples())
      if (const auto beside = most->find(sample.number))
        entries.push_back("        {\n            \"rank\": " + std::to_string(*series.rank()) +
                          ",\n            \"allocated memory\": " + sample.value.number.to_string() +
                          ",\n            \"max allocated memory\": " + beside->value.number.to_string() +
                          "\n        }");
  }
  return entries;
}

}  // namespace

std::vector<std::string> golden_formats() {
  std::vector<std::string> names;
  for (const ListRow& row : written_lists)
    if (std::ranges::find(names, row.format) == names.end()) names.emplace_back(row.format);
  return names;
}

Result<std::string> write_golden(const Baseline& baseline, std::string_view format) {
  const std::vector<Series>& all = baseline.runs.front().series;
  std::vector<std::string> members;
  const auto add = [&](std::string_view key, const std::vector<std::string>& items) {
    if (!items.empty())
      members.push_back("    \"" + std::string(key) + "\": [\n" + join(items, ",\n") + "\n    ]");
  };
  for (const ListRow& row : written_lists)
    if (const Series* series = row.format == format ? find_series(all, row.metric, std::nullopt) : nullptr)
      add(row.key, values_of(*series));
  add("memo info", memory_of(all));
  if (members.empty())
    return fail("the baseline has nothing that a golden file of " + std::string(format) + " holds");
  return "{\n" + join(members, ",\n") + "\n}\n";
}

}  // namespace gate::schema
