// Format `nemo`: NVIDIA NeMo. NeMo 2 prints lines, NeMo 1 a progress bar of Lightning, of which the last
// drawing of a step counts. Steps begin at 0; the time is in seconds, memory in bytes, that of one rank.
// A bar rounds to three digits: from step 1000 on NeMo 1 prints `1.23e+3`, which is no step. `val_loss` is
// repeated in all lines after a validation, and is left unread.
//
//   Training epoch 0, iteration 49/49 | lr: 4.491e-06 | global_step: 49 | reduced_train_loss: 12.81 | ...
//   Epoch 0: :   1%|1         | 10/1000 [00:12<20:38, reduced_train_loss=9.500, global_step=9.000, ...]
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace nemo {
namespace {

constexpr std::array fields{
    FieldRow{"global_step", the_step},
    FieldRow{"reduced_train_loss", "lm_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"gradient_norm", "grad_norm"},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"train_step_timing in s", "iteration_time", ms_per_s},
    FieldRow{"TFLOPS_per_GPU", "throughput"},
    FieldRow{"peak_memory_usage", "memory_max_allocated", mib_per_byte},
    FieldRow{"memory_allocated", "memory_allocated", mib_per_byte},
    FieldRow{"global_batch_size", "global_batch_size"},
    FieldRow{.printed = "consumed_samples", .metric = "consumed_samples", .when = Printed::sometimes},
};

constexpr std::array expected{FieldRow{"reduced_train_loss", "lm_loss"}};
constexpr std::array<std::string_view, 2> bar_needs{"reduced_train_loss", "global_step"};

constexpr std::string_view bar_fields = R"(([A-Za-z_]\w*(?: in s)?)=([^,\s\]]+)[,\]])";

constexpr std::array kinds{
    RecordKind{.extractor = "nemo.step",
               .literal = "Training epoch",
               .head = R"(\bTraining epoch \d+, iteration (?P<step>\d+)/(?P<total>\d+) \|)",
               .fields = fields,
               .body = Body::fields,
               .expected = expected},
    RecordKind{.extractor = "nemo.bar",
               .literal = "reduced_train_loss",
               .head = R"(\bEpoch \d+: [^\[]*\[)",
               .fields = fields,
               .body = Body::fields,
               .pattern = bar_fields,
               .expected = expected,
               .needs = bar_needs},
};

constexpr std::array<std::string_view, 2> superseded{"lightning", "megatron"};

}  // namespace
}  // namespace nemo

FormatSpec nemo_format() {
  return make_format({.row = {"nemo", "NVIDIA NeMo: lines of NeMo 2, progress bars of NeMo 1"},
                      .kinds = nemo::kinds,
                      .supersedes = nemo::superseded,
                      .bar = R"(\b(Epoch \d+: [^\[|]*(?:\|[^|]*\| *)?\d+\S*) \[.*reduced_train_loss=)"});
}

}  // namespace gate::extract
