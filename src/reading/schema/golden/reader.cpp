#include "schema/golden/reader.h"

#include <algorithm>
#include <array>

namespace gate::schema {

namespace {

constexpr std::array readers{
    GoldenReader{{"megatron", "Megatron-LM golden_values_*.json",
                  "{\"lm loss\": {\"start_step\": 1, \"step_interval\": 1, \"values\": {\"1\": 10.9, ..}}}",
                  "the keys; for a list start_step and step_interval, assumed"},
                 is_megatron,
                 read_megatron},
    GoldenReader{{"megatron-inference", "Megatron-LM golden_values_*.json of inference",
                  "{\"0\": {\"generated_text\": ..}, \"throughput\": [..], \"mem-max-allocated-bytes\": N}",
                  "1 to N, assumed"},
                 is_megatron_inference,
                 read_megatron_inference},
    GoldenReader{
        {"flagscale", "FlagScale gold_values/*.json, also of benchmarks",
         "{\"lm loss:\": {\"values\": [..]}}, {\"ascend\": {\"unit-910c\": {..}}}", "1 to N, assumed"},
        is_flagscale,
        read_flagscale},
    GoldenReader{{"megatron-bridge", "Megatron-Bridge golden_values/*.json",
                  "{\"0\": {\"lm loss\": 11.9, \"elapsed time per iteration (ms)\": 530.4}, ..}",
                  "the keys plus 1: the file counts from 0"},
                 is_megatron_bridge,
                 read_megatron_bridge},
    GoldenReader{
        {"modellink", "ModelLink baseline_results/*.json",
         "{\"lm loss\": [..], \"throughput\": [..], \"memo info\": [{\"rank\": 0, ..}]}", "1 to N, assumed"},
        is_modellink,
        read_modellink},
    GoldenReader{{"mindspeed-llm", "MindSpeed-LLM baseline_results/*.json",
                  "{\"lm loss\": [..], \"time info\": [..], \"grad norm\": [..], \"lm loss margin\": 0.02}",
                  "1 to N, assumed"},
                 is_mindspeed_llm,
                 read_modellink},
    GoldenReader{{"mindspeed-mm", "MindSpeed-MM baseline_results/*.json",
                  "{\"loss\": [..], \"time\": [..], \"warm_up\": 1}", "1 to N, assumed"},
                 is_mindspeed_mm,
                 read_modellink},
    GoldenReader{
        {"torchtitan", "torchtitan assets/losses/*.txt",
         "one line per step: step and loss; `# step loss grad_norm` names the columns", "as written"},
        is_torchtitan,
        read_torchtitan},
};

}  // namespace

const GoldenReader* find_golden_reader(const Json& document) {
  const bool is_lines = is_torchtitan(document);  // its columns may be called as keys of others are
  const auto* const found = std::ranges::find_if(readers, [&](const GoldenReader& reader) {
    return reader.recognises(document) && (!is_lines || reader.recognises == is_torchtitan);
  });
  return found == readers.end() ? nullptr : &*found;
}

std::span<const GoldenKind> golden_kinds() {
  static constexpr auto kinds = [] {
    std::array<GoldenKind, readers.size()> rows{};
    std::ranges::transform(readers, rows.begin(), &GoldenReader::kind);
    return rows;
  }();
  return kinds;
}

}  // namespace gate::schema
