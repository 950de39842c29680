#include "schema/golden_file.h"

#include <algorithm>
#include <array>
#include <map>

#include "gate/base/text.h"
#include "schema/golden_memory.h"

namespace gate::schema {

namespace {

// Keys with one meaning stand together; a file has at most one of them.
struct ListRow {
  std::string_view key;
  std::string_view metric;
};
constexpr std::array lists{
    ListRow{"lm loss", "lm_loss"},          ListRow{"loss", "lm_loss"},
    ListRow{"grad norm", "grad_norm"},      ListRow{"throughput", "throughput"},
    ListRow{"time info", "iteration_time"}, ListRow{"time", "iteration_time"},
};

struct MarginRow {
  std::string_view key;
  std::array<std::string_view, 2> metrics;
};
constexpr std::array margins{
    MarginRow{"lm loss margin", {"lm_loss"}},
    MarginRow{"loss margin", {"lm_loss"}},
    MarginRow{"grad norm margin", {"grad_norm"}},
    MarginRow{"throughput margin", {"throughput"}},
    MarginRow{"time info margin", {"iteration_time"}},
    MarginRow{"time margin", {"iteration_time"}},
    MarginRow{"memo info margin", {"memory_allocated", "memory_max_allocated"}},
};
constexpr std::string_view memory_key = "memo info";
constexpr std::string_view warm_up_key = "warm_up";

template <typename Rows>
bool has_key(const Rows& rows, std::string_view key) {
  return std::ranges::any_of(rows, [&](const auto& row) { return row.key == key; });
}

bool is_known(std::string_view key) {
  return key == memory_key || key == warm_up_key || has_key(lists, key) || has_key(margins, key);
}

std::string in_quotes(std::string_view key) { return "\"" + printable(key, 80) + "\""; }

// Return the sample, or nothing where the file says that there is none or after a complaint.
std::optional<Sample> read_sample(const Json& json, std::int64_t number, Complaints& complaints) {
  if (json.kind == Json::Kind::null) return std::nullopt;
  const auto value = parse_value(json.text);
  if (json.kind == Json::Kind::number && value)
    return Sample{.number = number, .value = *value, .text = json.text};
  if (json.kind != Json::Kind::text || !value || value->is_finite())
    complaints.add(json.at,
                   "a value must be a number or \"nan\", not " +
                       (json.text.empty() ? std::string(to_string(json.kind)) : printable(json.text, 40)));
  return std::nullopt;
}

void note_left_out(std::string_view key, const std::vector<std::int64_t>& positions, Baseline& baseline) {
  if (positions.empty()) return;
  baseline.notes.push_back(std::string(key) + ": not recorded (nan or null) at position" +
                           (positions.size() > 1 ? "s " : " ") + ranges(positions) + ", left out");
}

Series read_list(const Json& list, std::string_view metric, Baseline& baseline, Complaints& complaints) {
  Series series(std::string(metric), std::nullopt, MetricTable().get(metric).unit, Numbering::step);
  series.set_assumed(true);
  std::vector<std::int64_t> left_out;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const auto position = static_cast<std::int64_t>(i) + 1;
    auto sample = read_sample(list.items[i], position, complaints);
    if (!sample) left_out.push_back(position);
    if (sample) series.append(std::move(*sample));
  }
  note_left_out(list.key, left_out, baseline);
  return series;
}

void note_steps(const std::map<std::size_t, std::vector<std::string>>& keys_by_length, Baseline& baseline) {
  for (const auto& [length, keys] : keys_by_length) {
    const std::string names = join(keys, ", ");
    baseline.notes.push_back(length == 0
                                 ? names + ": an empty list, nothing to compare with"
                                 : names + std::string(no_steps) +
                                       (length == 1 ? "step 1" : "steps 1-" + std::to_string(length)));
  }
}

void read_lists(const Fields& fields, Baseline& baseline) {
  std::map<std::size_t, std::vector<std::string>> keys_by_length;
  for (const ListRow& row : lists) {
    const Json* list = fields.member(row.key, Json::Kind::list);
    if (list == nullptr) continue;
    Series series = read_list(*list, row.metric, baseline, fields.complaints());
    keys_by_length[list->items.size()].push_back(list->key);
    if (find_series(baseline.runs.front().series, row.metric, std::nullopt) != nullptr)
      fields.complaints().add(list->key_at, in_quotes(row.key) + " is a second list of " +
                                                std::string(row.metric) + "; remove one of them");
    if (!series.empty()) baseline.runs.front().series.push_back(std::move(series));
  }
  note_steps(keys_by_length, baseline);
}

// A first step is slow, and so is the first step after a restart.
void note_restarts(Baseline& baseline) {
  const Series* speed = find_series(baseline.runs.front().series, "throughput", std::nullopt);
  if (speed == nullptr) return;
  const auto samples = speed->samples();
  const auto half = [&](std::size_t i) { return samples[i].value.number.to_double() / 2; };
  for (std::size_t i = 1; i + 1 < samples.size(); ++i)
    if (samples[i].value.number.to_double() < std::min(half(i - 1), half(i + 1)))
      baseline.notes.push_back(
          "throughput: " + samples[i].text + " at position " + std::to_string(samples[i].number) +
          " is below half of its neighbours: probably a second attempt begins there; its values are "
          "taken as the steps that follow");
}

void read_margins(const Fields& fields, Baseline& baseline) {
  for (const MarginRow& row : margins) {
    if (fields.member(row.key, Json::Kind::number) == nullptr) continue;
    for (const std::string_view metric : row.metrics)
      if (!metric.empty()) baseline.margins.insert_or_assign(std::string(metric), fields.word(row.key));
    baseline.notes.push_back(std::string(row.key) + ": " + fields.word(row.key) +
                             " stands in the file; gate's own rules do not use it");
  }
  if (const auto steps = fields.integer(warm_up_key))
    baseline.notes.push_back("warm_up: " + std::to_string(*steps) +
                             " stands in the file; gate's own rules do not use it");
}

void note_unknown(const Json& document, Baseline& baseline) {
  for (const Json& member : document.items)
    if (!is_known(member.key))
      baseline.notes.push_back("key " + in_quotes(member.key) + " is unknown and not used");
}

std::string origin_of(const Json& document) {
  const auto has = [&](std::string_view key) { return document.find(key) != nullptr; };
  if (has("loss") || has("time") || has(warm_up_key)) return "mindspeed-mm";
  const bool margin = std::ranges::any_of(margins, [&](const MarginRow& row) { return has(row.key); });
  return has("time info") || has("grad norm") || margin ? "mindspeed-llm" : "modellink";
}

}  // namespace

bool is_golden_file(const Json& document) {
  return std::ranges::any_of(document.items, [](const Json& member) {
    return member.key == memory_key || has_key(lists, member.key);
  });
}

Baseline read_golden_file(const Json& document, Complaints& complaints) {
  const Fields fields(document, complaints);
  Baseline baseline;
  baseline.origin = origin_of(document);
  baseline.runs.emplace_back();
  read_lists(fields, baseline);
  if (const Json* memory = fields.member(memory_key, Json::Kind::list))
    read_golden_memory(*memory, baseline, complaints);
  note_restarts(baseline);
  read_margins(fields, baseline);
  note_unknown(document, baseline);
  return baseline;
}

std::string golden_keys() {
  std::string keys;
  for (const ListRow& row : lists) keys += in_quotes(row.key) + ", ";
  return keys + in_quotes(memory_key);
}

}  // namespace gate::schema
