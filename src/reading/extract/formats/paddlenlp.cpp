// Format `paddlenlp`: the Trainer of PaddleNLP. Memory is in GB of 2^30 bytes, that of one rank. Times are of
// a logging interval, so the time of a step is what `interval_steps_per_second` tells, and of the speeds in
// tokens that of a device is printed.
//
//   [    INFO] - loss: 12.06, learning_rate: 2e-06, global_step: 1, ..., progress_or_epoch: 0.0
//   [    INFO] - eval_loss: 3.25, eval_runtime: 10.1, ..., progress_or_epoch: 0.5
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace paddlenlp {
namespace {

constexpr std::array fields{
    FieldRow{"global_step", the_step},
    FieldRow{"loss", "lm_loss"},
    FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"global_norm", "grad_norm"},
    FieldRow{"current_memory_allocated", "memory_allocated", mib_per_gib},
    FieldRow{"current_memory_reserved", "memory_reserved", mib_per_gib},
    FieldRow{"max_memory_allocated", "memory_max_allocated", mib_per_gib},
    FieldRow{"max_memory_reserved", "memory_max_reserved", mib_per_gib},
    FieldRow{"interval_samples_per_second", "samples_per_second"},
    FieldRow{"interval_tokens_per_second_per_device", "tokens_per_second"},
    FieldRow{"interval_hardware_tflops_per_device", "throughput"},
    FieldRow{.printed = "interval_steps_per_second",
             .metric = "iteration_time",
             .factor = ms_per_s,
             .conversion = Conversion::reciprocal},
};

constexpr std::array validation_fields{FieldRow{"loss", "validation_loss"}};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};
constexpr std::array<std::string_view, 2> needs{"global_step", "interval_runtime"};

constexpr std::array kinds{
    RecordKind{.extractor = "paddlenlp.step",
               .literal = "global_step: ",
               .head = R"((?:^|\s)loss: (?P<loss>[^,\s]+), )",
               .fields = fields,
               .body = Body::fields,
               .style = FieldStyle::comma,
               .expected = expected,
               .needs = needs},
    RecordKind{.extractor = "paddlenlp.evaluation",
               .literal = "eval_loss: ",
               .head = R"(\beval_loss: (?P<loss>[^,\s]+), (?:eval_\w+: [^,\s]+, )*eval_runtime: )",
               .fields = validation_fields,
               .role = Role::follower,
               .steps = Steps::before},
};

}  // namespace
}  // namespace paddlenlp

FormatSpec paddlenlp_format() {
  return make_format({.row = {"paddlenlp", "PaddleNLP: lines of its Trainer"}, .kinds = paddlenlp::kinds});
}

}  // namespace gate::extract
