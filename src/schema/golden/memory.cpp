#include "schema/golden/memory.h"

#include <algorithm>
#include <array>
#include <map>

#include "gate/base/text.h"
#include "gate/model/step_set.h"

namespace gate::schema {

namespace {

struct Column {
  std::string_view key;
  std::string_view metric;
};
constexpr std::array golden_columns{Column{"allocated memory", "memory_allocated"},
                                    Column{"max allocated memory", "memory_max_allocated"}};

using Entries = std::map<int, std::vector<const Json*>>;  // rank -> its entries, in their order

std::optional<int> read_rank(const Fields& fields) {
  if (fields.json().find("rank") == nullptr) fields.missing("rank");
  return fields.small_integer("rank");
}

Entries by_rank(const Json& list, Complaints& complaints) {
  Entries entries;
  for (const Json& item : list.items)
    if (const auto rank = read_rank(Fields(item, complaints))) entries[*rank].push_back(&item);
  return entries;
}

std::optional<Sample> read_memory_sample(const Json& entry, std::string_view key, std::int64_t report,
                                         Complaints& complaints) {
  const Json* json = entry.find(key);
  if (json == nullptr) {
    complaints.add(entry.at, "\"" + std::string(key) + "\" is missing here");
    return std::nullopt;
  }
  const auto value = parse_value(json->text);
  if (json->kind == Json::Kind::number && value)
    return Sample{.number = report, .value = *value, .text = json->text};
  complaints.add(json->at, "\"" + std::string(key) + "\" must be a number of MiB, not " +
                               std::string(to_string(json->kind)));
  return std::nullopt;
}

Series read_memory_series(const Column& column, int rank, const std::vector<const Json*>& entries,
                          Complaints& complaints) {
  Series series(std::string(column.metric), rank, MetricTable().get(column.metric).unit, Numbering::report);
  series.set_assumed(entries.size() > 1);
  std::int64_t report = 0;
  for (const Json* entry : entries)
    if (auto sample = read_memory_sample(*entry, column.key, ++report, complaints))
      series.append(std::move(*sample));
  return series;
}

void note_repeats(const Json& list, const Entries& entries, Baseline& baseline) {
  std::map<std::size_t, std::vector<std::int64_t>> ranks_by_count;
  for (const auto& [rank, of_rank] : entries) ranks_by_count[of_rank.size()].push_back(rank);
  for (const auto& [count, ranks] : ranks_by_count)
    if (count > 1)
      baseline.notes.push_back(list.key + ": " + std::to_string(count) + " entries each of rank" +
                               (ranks.size() > 1 ? "s " : " ") + to_string(StepSet(ranks)) +
                               ", taken as reports 1-" + std::to_string(count));
}

void note_unknown(const Json& list, Baseline& baseline) {
  std::map<std::string, int> unknown;
  for (const Json& item : list.items)
    for (const Json& member : item.items)
      if (member.key != "rank" && member.key != "format" &&
          !std::ranges::count(golden_columns, member.key, &Column::key))
        ++unknown[member.key];
  for (const auto& [key, count] : unknown)
    baseline.notes.push_back(list.key + ": key \"" + printable(key, 80) + "\" is unknown and not used");
}

}  // namespace

void read_golden_memory(const Json& list, Baseline& baseline, Complaints& complaints) {
  if (list.items.empty()) baseline.notes.push_back(list.key + ": an empty list, nothing to compare with");
  const Entries entries = by_rank(list, complaints);
  for (const Column& column : golden_columns)
    for (const auto& [rank, of_rank] : entries)
      baseline.runs.front().series.push_back(read_memory_series(column, rank, of_rank, complaints));
  note_repeats(list, entries, baseline);
  note_unknown(list, baseline);
}

}  // namespace gate::schema
