#include "schema/golden/modellink.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "schema/golden/golden_series.h"
#include "schema/golden/memory.h"

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

void read_lists(const Fields& fields, Baseline& baseline) {
  GoldenSeries series(Texts::not_finite, fields.complaints());
  for (const ListRow& row : lists)
    if (const Json* list = fields.member(row.key, Json::Kind::list))
      series.add_list(*list, *list, metric_named(row.metric));
  for (const Json& member : fields.json().items)
    if (!is_known(member.key)) series.skip(member);
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
      baseline.notes.push_back(
          "throughput: " + samples[i].text + " at position " + std::to_string(samples[i].number) +
          " is below half of its neighbours: probably a second attempt begins there; its values are "
          "taken as the steps that follow");
}

void read_margins(const Fields& fields, Baseline& baseline) {
  for (const MarginRow& row : margins) {
    const Json* margin = fields.member(row.key, Json::Kind::number);
    if (margin == nullptr) continue;
    if (margin->text.starts_with('-')) fields.complaints().add(margin->at, "a margin must not be negative");
    for (const std::string_view metric : row.metrics)
      if (!metric.empty()) baseline.margins.insert_or_assign(std::string(metric), fields.word(row.key));
    baseline.notes.push_back(std::string(row.key) + ": " + fields.word(row.key) +
                             " stands in the file; profile mindspeed-llm uses it, gate's own rules do not");
  }
  baseline.warm_up = fields.integer(warm_up_key);
  if (baseline.warm_up)
    baseline.notes.push_back("warm_up: " + std::to_string(*baseline.warm_up) +
                             " stands in the file; profile mindspeed-mm uses it, gate's own rules do not");
}

bool has_any_list(const Json& document) {
  return std::ranges::any_of(document.items, [](const Json& member) {
    return member.key == memory_key || has_key(lists, member.key);
  });
}

bool has_any_margin(const Json& document) {
  return std::ranges::any_of(document.items, [](const Json& member) { return has_key(margins, member.key); });
}

bool has(const Json& document, std::string_view key) { return document.find(key) != nullptr; }

}  // namespace

bool is_mindspeed_mm(const Json& document) {
  return has_any_list(document) &&
         (has(document, "loss") || has(document, "time") || has(document, warm_up_key));
}

bool is_mindspeed_llm(const Json& document) {
  return has_any_list(document) && !is_mindspeed_mm(document) &&
         (has(document, "time info") || has(document, "grad norm") || has_any_margin(document));
}

bool is_modellink(const Json& document) {
  return has_any_list(document) && !is_mindspeed_mm(document) && !is_mindspeed_llm(document);
}

Baseline read_modellink(const Json& document, Complaints& complaints) {
  const Fields fields(document, complaints);
  Baseline baseline;
  baseline.runs.emplace_back();
  read_lists(fields, baseline);
  if (const Json* memory = fields.member(memory_key, Json::Kind::list))
    read_golden_memory(*memory, baseline, complaints);
  note_restarts(baseline);
  read_margins(fields, baseline);
  return baseline;
}

}  // namespace gate::schema
