#include <algorithm>

#include "extract/events/tracker_kinds.h"
#include "extract/formats/megatron.h"
#include "extract/records/format_spec.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

std::span<const FormatSpec> format_specs() {
  static const std::vector<FormatSpec> specs{
      megatron_format(),       mindspeed_fsdp2_format(),
      mindspeed_mm_format(),   mindspeed_rl_format(),
      mindformers_format(),    deepspeed_format(),
      hf_trainer_format(),     ms_swift_format(),
      llama_factory_format(),  nemo_format(),
      verl_format(),           torchtitan_format(),
      nanotron_format(),       internlm_format(),
      paddlenlp_format(),      olmo_format(),
      lightning_format(),      nanogpt_format(),
      modded_nanogpt_format(), llm_c_format(),
      flagperf_format(),       mllog_format(),
      jsonl_format(),
  };
  return specs;
}

const FormatSpec* find_format(std::string_view name) {
  const auto it =
      std::ranges::find(format_specs(), name, [](const FormatSpec& format) { return format.row.name; });
  return it == format_specs().end() ? nullptr : &*it;
}

std::span<const FormatRow> formats() {
  static const std::vector<FormatRow> rows = [] {
    std::vector<FormatRow> all;
    for (const FormatSpec& format : format_specs()) all.push_back(format.row);
    for (const TrackerKind& kind : tracker_kinds()) all.push_back(kind.format);
    return all;
  }();
  return rows;
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const FormatRow& row : formats()) names.emplace_back(row.name);
  return names;
}

}  // namespace gate::extract
