// Format `deepspeed`: the engine's report each `steps_per_print` steps, its timer, and the pipeline engine.
// `samples_per_second` is that of the steps since the last report (CurrSamplesPerSec), over all devices;
// memory is the printing rank's. A script's own loss line is not the engine's: give it a pattern.
//
//   [2026-01-07 01:55:23,711] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=4, lr=[5e-05],
//   mom=[..]
//   [..] [timer.py:260:stop] epoch=0/micro_step=40/global_step=10, RunningAvgSamplesPerSec=25.02, ...
//   steps: 1 loss: 12.6360 iter time (s): 15.170 samples/sec: 1.055
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace deepspeed {
namespace {

constexpr std::array step_fields{
    counted_through(FieldRow{"skipped", "skipped_iterations"}),
    FieldRow{"lr", "learning_rate"},
};

constexpr std::array timer_fields{
    FieldRow{"CurrSamplesPerSec", "samples_per_second"},
    FieldRow{"MemAllocated", "memory_allocated", {1, 0}, Scope::rank},
    FieldRow{"MaxMemAllocated", "memory_max_allocated", {1, 0}, Scope::rank},
};

constexpr std::array pipeline_fields{
    FieldRow{"loss", "lm_loss"},
    FieldRow{"time", "iteration_time", ms_per_s},
    FieldRow{"rate", "samples_per_second"},
};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

// The unit of a memory stands in the word: without its last letter it would be another number.
constexpr std::string_view timer_pattern = R"((\w+)=(\S*GB|[^\s,G]+)(?:,|\s|$))";

constexpr std::array kinds{
    RecordKind{.extractor = "deepspeed.step",
               .literal = "skipped=",
               .head = R"(\bstep=(?P<step>\d+), skipped=(?P<skipped>\d+), lr=\[+(?P<lr>[^\s,\[\]]+)[,\]])",
               .fields = step_fields},
    RecordKind{.extractor = "deepspeed.timer",
               .literal = "RunningAvgSamplesPerSec=",
               .head = R"((?:\bglobal_step=|\b\d+/)(?P<step>\d+), RunningAvgSamplesPerSec=)",
               .fields = timer_fields,
               .body = Body::fields,
               .pattern = timer_pattern},
    RecordKind{
        .extractor = "deepspeed.pipeline",
        .literal = "iter time (s):",
        .head =
            R"(\bsteps: (?P<step>\d+) loss: (?P<loss>\S+) iter time \(s\): (?P<time>\S+) samples/sec: (?P<rate>\S+))",
        .fields = pipeline_fields,
        .expected = expected},
};

}  // namespace
}  // namespace deepspeed

FormatSpec deepspeed_format() {
  return make_format({.row = {"deepspeed", "DeepSpeed: the engine's report, its timer, the pipeline engine"},
                      .kinds = deepspeed::kinds});
}

}  // namespace gate::extract
