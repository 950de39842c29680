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
    FieldRow{"consumed_samples", "consumed_samples", {1, 0}, Scope::run, Turn::times, Printed::sometimes},
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

constexpr std::array<std::string_view, 2> over{"lightning", "megatron"};

constexpr std::string_view lines =
    "Training epoch 0, iteration 0/2 | lr: 4.5e-07 | global_batch_size: 8 | global_step: 0 | "
    "peak_memory_usage: 1048576 | memory_allocated: 524288 | reduced_train_loss: 11.0 | train_step_timing in "
    "s: 2.5\n"
    "Training epoch 0, iteration 1/2 | lr: 9e-07 | global_batch_size: 8 | global_step: 1 | "
    "peak_memory_usage: 1048576 | memory_allocated: 524288 | reduced_train_loss: nan | train_step_timing in "
    "s: 0.5 | consumed_samples: 16\n"
    "Validation epoch 0, iteration 1/10\n";

constexpr std::string_view bars =
    "Epoch 0: :   0%|          | 1/1000 [00:04<1:20:00, v_num=ab, reduced_train_loss=9.900, "
    "global_step=0.000, consumed_samples=8.000, train_step_timing in s=4.100]\r"
    "Epoch 0: :   0%|          | 2/1000 [00:05<1:10:00, v_num=ab, reduced_train_loss=9.900, "
    "global_step=0.000, consumed_samples=8.000, train_step_timing in s=4.100]\r"
    "Epoch 0: :   0%|          | 2/1000 [00:05<1:10:00, v_num=ab, reduced_train_loss=9.500, "
    "global_step=1.000, consumed_samples=16.00, train_step_timing in s=1.200]\n";

std::vector<Specimen> specimens() {
  return {{"NeMo 2: lines",
           lines,
           {{"lm_loss", -1, 0, "11.0"},
            {"lm_loss", -1, 1, "nan"},
            {"learning_rate", -1, 0, "4.5e-07"},
            {"learning_rate", -1, 1, "9e-07"},
            {"global_batch_size", -1, 0, "8"},
            {"global_batch_size", -1, 1, "8"},
            {"memory_max_allocated", -1, 1, "1048576"},
            {"memory_max_allocated", -1, 2, "1048576"},
            {"memory_allocated", -1, 1, "524288"},
            {"memory_allocated", -1, 2, "524288"},
            {"iteration_time", -1, 0, "2.5"},
            {"iteration_time", -1, 1, "0.5"},
            {"consumed_samples", -1, 1, "16"}}},
          {"NeMo 1: a bar, drawn with the values of the step before and then with its own",
           bars,
           {{"lm_loss", -1, 0, "9.900"},
            {"lm_loss", -1, 1, "9.500"},
            {"consumed_samples", -1, 0, "8.000"},
            {"consumed_samples", -1, 1, "16.00"},
            {"iteration_time", -1, 0, "4.100"},
            {"iteration_time", -1, 1, "1.200"}}}};
}

}  // namespace
}  // namespace nemo

FormatSpec nemo_format() {
  return make_format({.row = {"nemo", "NVIDIA NeMo: lines of NeMo 2, progress bars of NeMo 1"},
                      .kinds = nemo::kinds,
                      .specimens = nemo::specimens,
                      .over = nemo::over,
                      .bar = R"(\b(Epoch \d+: [^\[|]*(?:\|[^|]*\| *)?\d+\S*) \[.*reduced_train_loss=)"});
}

}  // namespace gate::extract
