// Format `olmo`: OLMo and OLMo-core. A record stands on several lines; other ranks than the first print its
// first line alone, which is no record. Speeds, of a device, are not printed at the first step, memory at
// few.
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
    with_thousands({"throughput/device/tokens_per_second",
                    "tokens_per_second",
                    {1, 0},
                    Scope::run,
                    Turn::times,
                    Printed::sometimes}),
    with_thousands(
        {"throughput/device/TPS", "tokens_per_second", {1, 0}, Scope::run, Turn::times, Printed::sometimes}),
    FieldRow{"throughput/device/MFU", "mfu", {1, 0}, Scope::run, Turn::times, Printed::sometimes},
    with_thousands({"throughput/total_tokens", "consumed_tokens"}),
    with_thousands({"throughput/total tokens", "consumed_tokens"}),
    with_thousands({"System/Peak GPU Memory (MB)", "memory_max_allocated", mib_per_mb, Scope::run,
                    Turn::times, Printed::sometimes}),
    FieldRow{"system/GPU active mem (GiB)", "memory_allocated", mib_per_gib, Scope::run, Turn::times,
             Printed::sometimes},
    FieldRow{"system/GPU reserved mem (GiB)", "memory_reserved", mib_per_gib, Scope::run, Turn::times,
             Printed::sometimes},
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

constexpr std::string_view olmo =
    "[2024-04-17 09:42:26] INFO     [olmo.train:816, rank=0] [step=1/739328]\n"
    "    train/CrossEntropyLoss=11.25\n"
    "    train/Perplexity=76,631\n"
    "    throughput/total_tokens=4,194,304\n"
    "    throughput/device/tokens_per_second=45,538\n"
    "    System/Peak GPU Memory (MB)=42,133\n"
    "[2024-04-17 09:42:26] INFO     [olmo.train:816, rank=1] [step=1/739328]\n"
    "[2024-04-17 09:42:27] INFO     [olmo.eval:90, rank=0] [eval_step=1/10]\n";

constexpr std::string_view core =
    "2025-01-10 12:00:01.123 host:0 olmo_core.train.callbacks.console_logger:72 INFO "
    "[step=10/1000,epoch=1,eta=0:10:00]\n"
    "    optim/total grad norm=0.5021\n"
    "    train/CE loss=10.91\n"
    "    throughput/device/MFU=41.20\n"
    "    throughput/device/TPS=12,345\n"
    "    throughput/device/TPS (actual avg)=11,111\n"
    "    system/GPU active mem (GiB)=20.5\n";

std::vector<Specimen> specimens() {
  return {{"OLMo, two ranks",
           olmo,
           {{"lm_loss", -1, 1, "11.25"},
            {"consumed_tokens", -1, 1, "4,194,304"},
            {"tokens_per_second", -1, 1, "45,538"},
            {"memory_max_allocated", -1, 1, "42,133"}}},
          {"OLMo-core",
           core,
           {{"lm_loss", -1, 10, "10.91"},
            {"grad_norm", -1, 10, "0.5021"},
            {"mfu", -1, 10, "41.20"},
            {"tokens_per_second", -1, 10, "12,345"},
            {"memory_allocated", -1, 1, "20.5"}}}};
}

}  // namespace
}  // namespace olmo

FormatSpec olmo_format() {
  return make_format({.row = {"olmo", "OLMo and OLMo-core: a step over several lines"},
                      .kinds = olmo::kinds,
                      .specimens = olmo::specimens,
                      .begins = olmo::first_line,
                      .goes_on = R"((?:^| ) {4}[A-Za-z][\w/().% -]*=\S+\s*$)"});
}

}  // namespace gate::extract
