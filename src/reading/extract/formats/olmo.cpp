// Format `olmo`: OLMo and OLMo-core. A record stands on several lines; other ranks than the first print its
// first line alone, which is no record. Speeds, of a device, are not printed at the first step, memory at
// few. Whatever a launcher puts before the lines stands before each of them.
//
//   [2024-04-17 09:42:26] INFO     [olmo.train:816, rank=0] [step=1/739328]
//       train/CrossEntropyLoss=11.25
//       throughput/total_tokens=4,194,304
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace olmo {
namespace {

// 10^6 / 2^20
constexpr Decimal mib_per_mb{95367431640625, -14};

constexpr std::array fields{
    FieldRow{"train/CrossEntropyLoss", "lm_loss"},
    FieldRow{"train/CE loss", "lm_loss"},
    FieldRow{"optim/total_grad_norm", "grad_norm"},
    FieldRow{"optim/total grad norm", "grad_norm"},
    FieldRow{"optim/learning_rate_group0", "learning_rate"},
    FieldRow{"optim/LR (group 0)", "learning_rate"},
    with_thousands({.printed = "throughput/device/tokens_per_second",
                    .metric = "tokens_per_second",
                    .when = Printed::sometimes}),
    with_thousands(
        {.printed = "throughput/device/TPS", .metric = "tokens_per_second", .when = Printed::sometimes}),
    FieldRow{.printed = "throughput/device/MFU", .metric = "mfu", .when = Printed::sometimes},
    with_thousands({"throughput/total_tokens", "consumed_tokens"}),
    with_thousands({"throughput/total tokens", "consumed_tokens"}),
    with_thousands({.printed = "System/Peak GPU Memory (MB)",
                    .metric = "memory_max_allocated",
                    .factor = mib_per_mb,
                    .when = Printed::sometimes}),
    FieldRow{.printed = "system/GPU active mem (GiB)",
             .metric = "memory_allocated",
             .factor = mib_per_gib,
             .when = Printed::sometimes},
    FieldRow{.printed = "system/GPU reserved mem (GiB)",
             .metric = "memory_reserved",
             .factor = mib_per_gib,
             .when = Printed::sometimes},
};

constexpr std::string_view first_line = R"(\[step=(?P<step>\d+)/(?P<total>\d+)(?:,[^\]]*)?\])";
constexpr std::string_view line_fields = R"(\n *([A-Za-z][\w/().% -]*)=([^\s]+))";
constexpr std::array<std::string_view, 1> olmo_needs{"train/CrossEntropyLoss"};
constexpr std::array<std::string_view, 1> core_needs{"train/CE loss"};

constexpr std::array kinds{
    RecordKind{.extractor = "olmo.step",
               .literal = "[step=",
               .head = first_line,
               .fields = fields,
               .body = Body::fields,
               .pattern = line_fields,
               .needs = olmo_needs},
    RecordKind{.extractor = "olmo.core",
               .literal = "[step=",
               .head = first_line,
               .fields = fields,
               .body = Body::fields,
               .pattern = line_fields,
               .needs = core_needs},
};

}  // namespace
}  // namespace olmo

FormatSpec olmo_format() {
  return make_format({.row = {"olmo", "OLMo and OLMo-core: a step over several lines"},
                      .kinds = olmo::kinds,
                      .begins = olmo::first_line,
                      .goes_on = R"(( {4}[A-Za-z][\w/().% -]*=\S+\s*)$)"});
}

}  // namespace gate::extract
