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
    FieldRow{.printed = "cuda_memory_allocated",
             .metric = "memory_allocated",
             .factor = mib_per_byte,
             .when = Printed::sometimes},
    FieldRow{.printed = "cuda_max_memory_reserved",
             .metric = "memory_max_reserved",
             .factor = mib_per_byte,
             .when = Printed::sometimes},
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

}  // namespace
}  // namespace nanotron

FormatSpec nanotron_format() {
  return make_format(
      {.row = {"nanotron", "Hugging Face nanotron: lines of an iteration"}, .kinds = nanotron::kinds});
}

}  // namespace gate::extract
