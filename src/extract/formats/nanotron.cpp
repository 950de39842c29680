// Format `nanotron`: numbers end in K, M, G or T, powers of a thousand, memory in bytes. The rank that has
// the loss prints. Of the speeds that of a device is read.
//
//   08/31/2024 14:37:31 [INFO|DP=0|PP=0|TP=0]: iteration: 1 / 15 | consumed_tokens: 512 | ...
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace nanotron {
namespace {

constexpr std::array fields{
    FieldRow{"lm_loss", "lm_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"elapsed_time_per_iteration_ms", "iteration_time"},
    FieldRow{"time_per_iteration_ms", "iteration_time"},
    FieldRow{"tokens_per_sec_per_gpu", "tokens_per_second"},
    FieldRow{"model_tflops_per_gpu", "throughput"},
    FieldRow{"cuda_memory_allocated", "memory_allocated", mib_per_byte, Scope::run, Turn::times,
             Printed::sometimes},
    FieldRow{"cuda_max_memory_reserved", "memory_max_reserved", mib_per_byte, Scope::run, Turn::times,
             Printed::sometimes},
    FieldRow{"global_batch_size", "global_batch_size"},
    FieldRow{"consumed_tokens", "consumed_tokens"},
};

constexpr std::array expected{FieldRow{"lm_loss", "lm_loss"}};
constexpr std::array<std::string_view, 1> needs{"consumed_tokens"};

constexpr std::array kinds{
    RecordKind{.extractor = "nanotron.iteration",
               .literal = "iteration: ",
               .head = R"(\biteration: (?P<step>\d+) / (?P<total>\d+) \|)",
               .fields = fields,
               .body = Body::fields,
               .expected = expected,
               .needs = needs},
};

constexpr std::string_view plain =
    "08/31/2024 14:37:31 [INFO|DP=0|PP=1|TP=0|node-3]: iteration: 1 / 15 | consumed_tokens: 1.05M | "
    "elapsed_time_per_iteration_ms: 4.71K | tokens_per_sec: 3.49K | tokens_per_sec_per_gpu: 872 | "
    "global_batch_size: 256 | lm_loss: 10.5 | lr: 0.00015 | model_tflops_per_gpu: 1.87e-05 | "
    "hardware_tflops_per_gpu: 1.9e-05 | grad_norm: 2.96 | cuda_memory_allocated: 67.4M | "
    "cuda_max_memory_reserved: 1.52G | hd_total_memory_tb: 2.13T\n";

std::vector<Specimen> specimens() {
  return {{"a line",
           plain,
           {{"lm_loss", -1, 1, "10.5"},
            {"grad_norm", -1, 1, "2.96"},
            {"learning_rate", -1, 1, "0.00015"},
            {"iteration_time", -1, 1, "4.71K"},
            {"tokens_per_second", -1, 1, "872"},
            {"throughput", -1, 1, "1.87e-05"},
            {"memory_allocated", -1, 1, "67.4M"},
            {"memory_max_reserved", -1, 1, "1.52G"},
            {"global_batch_size", -1, 1, "256"},
            {"consumed_tokens", -1, 1, "1.05M"}}}};
}

}  // namespace
}  // namespace nanotron

FormatSpec nanotron_format() {
  return make_format({.row = {"nanotron", "Hugging Face nanotron: lines of an iteration"},
                      .kinds = nanotron::kinds,
                      .specimens = nanotron::specimens});
}

}  // namespace gate::extract
