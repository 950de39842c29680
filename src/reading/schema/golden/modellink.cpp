#include <algorithm>
#include <array>
#include <map>

#include "gate/base/text.h"
#include "gate/model/numbers/step_set.h"
#include "schema/golden/golden_series.h"
#include "schema/golden/reader.h"

namespace gate::schema {

namespace {

// Keys with one meaning stand together; a file has at most one of them.
struct KeyRow {
  std::string_view key;
  std::string_view metric;
};
constexpr std::array lists{
    KeyRow{"lm loss", "lm_loss"},          KeyRow{"loss", "lm_loss"},
    KeyRow{"grad norm", "grad_norm"},      KeyRow{"throughput", "throughput"},
    KeyRow{"time info", "iteration_time"}, KeyRow{"time", "iteration_time"},
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

bool has_key(const auto& rows, std::string_view key) {
  return std::ranges::any_of(rows, [&](const auto& row) { return row.key == key; });
}

std::string spelled(std::string_view key) {
  std::string out = to_lower(key);
  std::ranges::replace_if(
      out, [](char c) { return c == '_' || c == '-'; }, ' ');
  return out;
}

// Return the key that the member means by another spelling, `lm_loss`: who wrote it wants it compared.
std::string_view meant_by(const Json& member) {
  const std::string name = spelled(member.key);
  for (const KeyRow& row : lists)
    if (name == row.key || name == spelled(row.metric)) return row.key;
  for (const MarginRow& row : margins)
    if (name == row.key) return row.key;
  for (const std::string_view key : {memory_key, warm_up_key})
    if (name == spelled(key)) return key;
  return "";
}

bool has_step(const Json& value) { return parse_integer(value.key).has_value(); }

bool is_number(const Json& value) { return value.kind == Json::Kind::number; }

// What is no key of theirs is a metric of its own, where it holds numbers.
void read_unknown(const Json& member, GoldenSeries& series, Complaints& complaints) {
  const std::string_view meant = meant_by(member);
  const bool has_numbers =
      std::ranges::any_of(member.items, is_number) && !metric_of_key(member.key).name.empty();
  if (meant.empty() && has_numbers && member.kind == Json::Kind::list)
    return series.add_own(member), series.add_list(member, member, metric_of_key(member.key));
  if (meant.empty() && has_numbers && std::ranges::all_of(member.items, has_step))
    return series.add_own(member), series.add_steps(member, member, metric_of_key(member.key));
  if (meant.empty()) return series.skip(member);
  complaints.add(member.key_at, "\"" + printable(member.key, 80) +
                                    "\" is no key of such a file; did you mean \"" + std::string(meant) +
                                    "\"?");
}

// The list is empty, as MindSpeed-LLM writes it where a case has nothing of that to compare, but never its
// losses.
bool is_left_empty(const Json& list, std::string_view metric) {
  return list.items.empty() && metric != "lm_loss";
}

void note_left_empty(const Json& list, Baseline& baseline) {
  baseline.notes.push_back(list.key + colon +
                           say({"an empty list, nothing to compare with", "空列表，无从比较"}));
}

void read_lists(const Fields& fields, Baseline& baseline) {
  GoldenSeries series(Texts::not_finite, fields.complaints());
  for (const KeyRow& row : lists) {
    const Json* list = fields.member(row.key, Json::Kind::list);
    if (list != nullptr && is_left_empty(*list, row.metric))
      note_left_empty(*list, baseline);
    else if (list != nullptr)
      series.add_list(*list, *list, metric_named(row.metric));
  }
  for (const Json& member : fields.json().items)
    if (member.key != memory_key && member.key != warm_up_key && !has_key(lists, member.key) &&
        !has_key(margins, member.key))
      read_unknown(member, series, fields.complaints());
  series.move_into(baseline);
}

// A first step is slow, and so is the first step after a restart.
void note_restarts(Baseline& baseline) {
  const Series* speed = find_series(baseline.runs.front().series, "throughput", std::nullopt);
  if (speed == nullptr) return;
  const SampleTape& samples = speed->samples();
  const auto half = [&](std::size_t i) { return samples[i].value.number.to_double() / 2; };
  for (std::size_t i = 1; i + 1 < samples.size(); ++i)
    if (samples[i].value.number.to_double() < std::min(half(i - 1), half(i + 1)))
      baseline.notes.push_back(say(
          {"throughput: {} at position {} is below half of its neighbours: probably a second attempt begins "
           "there; its values are taken as the steps that follow",
           "throughput：位置 {1} 的 {0} 不到相邻值的一半：可能从那里开始第二次尝试；其后的值视为接着的步"},
          samples[i].text, samples[i].number));
}

void read_margins(const Fields& fields, Baseline& baseline) {
  for (const MarginRow& row : margins) {
    const Json* margin = fields.member(row.key, Json::Kind::number);
    if (margin == nullptr) continue;
    if (margin->text.starts_with('-')) fields.complaints().add(margin->at, "a margin must not be negative");
    for (const std::string_view metric : row.metrics)
      if (!metric.empty()) baseline.margins.insert_or_assign(std::string(metric), fields.word(row.key));
    baseline.notes.push_back(
        say({"{}: {} stands in the file; profile mindspeed-llm uses it, gate's own rules do not",
             "{}：文件里写有 {}；判定方案 mindspeed-llm 使用它，gate 自己的规则不使用"},
            row.key, fields.word(row.key)));
  }
  baseline.warm_up = fields.integer(warm_up_key);
  if (baseline.warm_up)
    baseline.notes.push_back(
        say({"warm_up: {} stands in the file; profile mindspeed-mm uses it, gate's own rules do not",
             "warm_up：文件里写有 {}；判定方案 mindspeed-mm 使用它，gate 自己的规则不使用"},
            *baseline.warm_up));
}

// The columns of `memo info`.
constexpr std::array memory_columns{KeyRow{"allocated memory", "memory_allocated"},
                                    KeyRow{"max allocated memory", "memory_max_allocated"}};

using Entries = std::map<int, std::vector<const Json*>>;  // rank -> its entries, in their order

Entries by_rank(const Json& list, Complaints& complaints) {
  Entries entries;
  for (const Json& item : list.items) {
    const Fields fields(item, complaints);
    if (item.find("rank") == nullptr) fields.missing("rank");
    if (const auto rank = fields.small_integer("rank")) entries[*rank].push_back(&item);
  }
  return entries;
}

std::optional<Sample> read_memory_sample(const Json& entry, std::string_view key, std::int64_t report,
                                         Complaints& complaints) {
  const Json* json = entry.find(key);
  if (json == nullptr) return Fields(entry, complaints).missing(key), std::nullopt;
  const auto value = parse_value(json->text);
  if (json->kind == Json::Kind::number && value)
    return Sample{.number = report, .value = *value, .text = json->text};
  complaints.add(json->at, "\"" + std::string(key) + "\" must be a number of MiB, not " +
                               std::string(to_string(json->kind)));
  return std::nullopt;
}

Series read_memory_series(const KeyRow& column, int rank, const std::vector<const Json*>& entries,
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
  if (entries.size() == 1 && entries.begin()->second.size() > 1) {
    const std::size_t count = entries.begin()->second.size();
    baseline.notes.push_back(
        say({"{}: rank {} stands {} times, and no other rank at all; taken as its reports 1-{}",
             "{}：rank {} 出现 {} 次，没有其他 rank；视为它的第 1-{} 次打印"},
            list.key, entries.begin()->first, count, count));
    return;
  }
  std::map<std::size_t, std::vector<std::int64_t>> ranks_by_count;
  for (const auto& [rank, of_rank] : entries) ranks_by_count[of_rank.size()].push_back(rank);
  for (const auto& [count, ranks] : ranks_by_count)
    if (count > 1)
      baseline.notes.push_back(say({"{0}: {1} entries each of rank{2} {3}, taken as reports 1-{1}",
                                    "{0}：rank{2} {3} 各有 {1} 条，视为第 1-{1} 次打印"},
                                   list.key, count, ranks.size() > 1 ? Sentence("s", "") : Sentence(),
                                   to_string(StepSet(ranks))));
}

void note_unknown(const Json& list, Baseline& baseline) {
  std::map<std::string, int> unknown;
  for (const Json& item : list.items)
    for (const Json& member : item.items)
      if (member.key != "rank" && member.key != "format" &&
          !std::ranges::count(memory_columns, member.key, &KeyRow::key))
        ++unknown[member.key];
  for (const auto& [key, count] : unknown)
    baseline.notes.push_back(list.key + colon + unknown_keys({"\"" + printable(key, 80) + "\""}));
}

// Append memory_allocated and memory_max_allocated of every rank in the list to the baseline's first run, by
// metric, then by rank. The k-th entry of a rank is its report k.
void read_golden_memory(const Json& list, Baseline& baseline, Complaints& complaints) {
  if (is_left_empty(list, memory_key)) note_left_empty(list, baseline);
  const Entries entries = by_rank(list, complaints);
  for (const KeyRow& column : memory_columns)
    for (const auto& [rank, of_rank] : entries)
      baseline.runs.front().series.push_back(read_memory_series(column, rank, of_rank, complaints));
  note_repeats(list, entries, baseline);
  note_unknown(list, baseline);
}

bool has_any_list(const Json& document) {
  return std::ranges::any_of(document.items, [](const Json& member) {
    return member.key == memory_key || has_key(lists, member.key);
  });
}

bool has_any(const Json& document, std::initializer_list<std::string_view> keys) {
  return std::ranges::any_of(keys, [&](std::string_view key) { return document.find(key) != nullptr; });
}

}  // namespace

bool is_mindspeed_mm(const Json& document) {
  return has_any_list(document) && has_any(document, {"loss", "time", warm_up_key});
}

bool is_mindspeed_llm(const Json& document) {
  return has_any_list(document) && !is_mindspeed_mm(document) &&
         (has_any(document, {"time info", "grad norm"}) ||
          std::ranges::any_of(document.items, [](const Json& m) { return has_key(margins, m.key); }));
}

bool is_modellink(const Json& document) {
  return has_any_list(document) && !is_mindspeed_mm(document) && !is_mindspeed_llm(document);
}

Baseline read_modellink(const Json& document, Complaints& complaints) {
  const Fields fields(document, complaints);
  Baseline baseline;
  read_lists(fields, baseline);
  if (const Json* memory = fields.member(memory_key, Json::Kind::list))
    read_golden_memory(*memory, baseline, complaints);
  note_restarts(baseline);
  read_margins(fields, baseline);
  return baseline;
}

}  // namespace gate::schema
