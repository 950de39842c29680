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
    FieldRow{"interval_steps_per_second", "iteration_time", ms_per_s, Scope::run, Turn::inverse},
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

constexpr std::string_view plain =
    "[2024-05-13 10:11:12,345] [    INFO] - loss: 12.06, learning_rate: 2e-06, global_step: 1, "
    "current_memory_allocated: 7.5, current_memory_reserved: 7.75, max_memory_allocated: 7.5, "
    "max_memory_reserved: 7.75, interval_runtime: 1.1518, interval_samples_per_second: 0.8682, "
    "interval_tokens_per_second_per_device: 889.0448, interval_hardware_tflops_per_device: 2.77, "
    "interval_steps_per_second: 0.5, progress_or_epoch: 0.0\n"
    "[2024-05-13 10:11:15,345] [    INFO] - eval_loss: 12.0, eval_runtime: 3.1, "
    "eval_samples_per_second: 3.2, progress_or_epoch: 0.1\n";

std::vector<Specimen> specimens() {
  return {{"a step and an evaluation",
           plain,
           {{"lm_loss", -1, 1, "12.06"},
            {"learning_rate", -1, 1, "2e-06"},
            {"memory_allocated", -1, 1, "7.5"},
            {"memory_reserved", -1, 1, "7.75"},
            {"memory_max_allocated", -1, 1, "7.5"},
            {"memory_max_reserved", -1, 1, "7.75"},
            {"samples_per_second", -1, 1, "0.8682"},
            {"tokens_per_second", -1, 1, "889.0448"},
            {"throughput", -1, 1, "2.77"},
            {"iteration_time", -1, 1, "0.5"},
            {"validation_loss", -1, 1, "12.0"}}}};
}

}  // namespace
}  // namespace paddlenlp

FormatSpec paddlenlp_format() {
  return make_format({.row = {"paddlenlp", "PaddleNLP: lines of its Trainer"},
                      .kinds = paddlenlp::kinds,
                      .specimens = paddlenlp::specimens});
}

}  // namespace gate::extract
