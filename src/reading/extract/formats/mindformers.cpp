// Format `mindformers`: the monitor of MindFormers on MindSpore, which every rank prints into a file of its
// own (`output/msrun_log/worker_0.log`). Its steps begin again at each epoch and are numbered through. A
// record has two lines; the second one holds the samples a second and device. Time and speed are the rank's
// own.
//
//   2025-04-07 15:34:27,308 - [...] - INFO - { Epoch:[  1/  2], step:[    1/   19], loss: 10.649,
//   per_step_time: 103328ms, lr: 0.0, overflow cond: False, loss_scale: 1.0, global_norm: [44.313248],
//   train_throughput_per_npu: 2.896T
//   2025-04-07 15:34:27,309 - [...] - INFO -    2.6% |#         | 0.07742 samples/s/p  0:01:01 }
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace mindformers {
namespace {

// A word may stand in brackets, alone or before its mean: `[44.3]`, `[ 8.125/ 9.000]`.
constexpr std::string_view bracketed_fields =
    R"(([A-Za-z_]\w*(?: \w+)*): *\[? *([^,/\[\]}\s]+(?: +[^,/\[\]}\s]+)*|\[ *\]))";

constexpr Decimal tera{1, -12};

constexpr std::array fields{
    FieldRow{"loss", "lm_loss"},
    FieldRow{"global_norm", "grad_norm"},
    FieldRow{"train_throughput_per_npu", "throughput", tera, Scope::rank},
    FieldRow{"per_step_time", "iteration_time", {1, 0}, Scope::rank},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"loss_scale", "loss_scale"},
};

constexpr std::array speed_fields{FieldRow{"samples", "samples_per_second", {1, 0}, Scope::rank}};
constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

constexpr std::array kinds{
    RecordKind{.extractor = "mindformers.step",
               .literal = "{ Epoch:[",
               .head = R"(\{ Epoch:\[ *(?P<nth_epoch>\d+)/ *(?P<epochs>\d+)\], step:\[ *(?P<step>\d+)/ *)"
                       R"((?P<each>\d+)\],)",
               .fields = fields,
               .body = Body::fields,
               .pattern = bracketed_fields,
               .expected = expected},
    RecordKind{.extractor = "mindformers.speed",
               .literal = " samples/s/p",
               .head = R"(\| +(?P<samples>[\d.]+) samples/s/p )",
               .fields = speed_fields,
               .role = Role::follower},
};

}  // namespace
}  // namespace mindformers

FormatSpec mindformers_format() {
  return make_format({.row = {"mindformers", "MindFormers on MindSpore: one file per rank, steps of epochs"},
                      .kinds = mindformers::kinds});
}

}  // namespace gate::extract
