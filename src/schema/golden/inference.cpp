#include "schema/golden/inference.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"
#include "schema/golden/golden_series.h"

namespace gate::schema {

namespace {

constexpr std::string_view throughput_key = "throughput";
constexpr std::array memory_keys{"mem-max-allocated-bytes", "mem-allocated-bytes"};

bool is_request(const Json& member) {
  constexpr std::array keys{"generated_text", "generated_tokens", "input_prompt", "logprobs"};
  return member.kind == Json::Kind::object &&
         std::ranges::any_of(keys, [&](std::string_view key) { return member.find(key) != nullptr; });
}

bool is_memory(const Json& member) {
  return member.kind == Json::Kind::number && std::ranges::find(memory_keys, member.key) != memory_keys.end();
}

void read_member(const Json& member, GoldenSeries& series, Complaints& complaints) {
  if (member.key == throughput_key && member.kind == Json::Kind::list)
    series.add_list(member, member, metric_named("tokens_per_second"));
  else if (member.key == throughput_key)
    complaints.add(member.at, "\"throughput\" must be a list, not " + std::string(to_string(member.kind)));
  else if (is_memory(member))
    series.add_report(member, metric_of_key(member.key));
  else if (!is_request(member))
    series.skip(member);
}

void note_requests(std::int64_t count, Baseline& baseline) {
  if (count > 0)
    baseline.notes.push_back(count_of(count, "request") +
                             ": texts, tokens, logprobs and latencies are no series and not used");
}

}  // namespace

bool is_megatron_inference(const Json& document) {
  return std::ranges::any_of(document.items, [](const Json& m) { return is_request(m) || is_memory(m); });
}

Baseline read_megatron_inference(const Json& document, Complaints& complaints) {
  Baseline baseline;
  baseline.runs.emplace_back();
  GoldenSeries series(Texts::any, complaints);
  for (const Json& member : document.items) read_member(member, series, complaints);
  if (series.empty() && complaints.empty())
    complaints.add(
        document.at,
        "holds generated texts only, no series: gate compares numbers; compare the texts elsewhere");
  series.move_into(baseline);
  note_requests(std::ranges::count_if(document.items, is_request), baseline);
  return baseline;
}

}  // namespace gate::schema
