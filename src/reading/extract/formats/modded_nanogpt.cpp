// Format `modded-nanogpt`: the speedrun of nanoGPT, and what is built on it. A line a step, the later
// versions without its loss, and a line an evaluation, the first one of step 0. Its clock runs since the
// start and is set back after the first steps, and `step_avg` is the mean since then: neither is read.
//
//   step:0/1750 val_loss:10.8258 train_time:0ms step_avg:nanms
//   step:1/1750 train_loss:10.8312 train_time:81991ms step_avg:nanms
//   step:125/1750 train_time:25517ms step_avg:221.89ms
//   peak memory allocated: 29857 MiB reserved: 31036 MiB
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace modded_nanogpt {
namespace {

constexpr std::array step_fields{
    FieldRow{"train_loss", "lm_loss"},
    FieldRow{.printed = "lr", .metric = "learning_rate", .when = Printed::sometimes},
};
constexpr std::array evaluation_fields{FieldRow{"val_loss", "validation_loss"}};

constexpr std::array memory_fields{FieldRow{"allocated", "memory_max_allocated"},
                                   FieldRow{"reserved", "memory_max_reserved"}};

constexpr std::array expected{FieldRow{"train_loss", "lm_loss"}};

constexpr std::array<std::string_view, 1> clock{" train_time:"};

constexpr std::string_view words = R"(\b([a-z_]+):(\S+))";  // name:word

constexpr std::array kinds{
    RecordKind{.extractor = "modded-nanogpt.evaluation",
               .literal = " val_loss:",
               .head = R"(\bstep:(?P<step>\d+)/(?P<total>\d+) val_loss:(?P<val_loss>\S+) .*train_time:)",
               .fields = evaluation_fields,
               .role = Role::follower,
               .marks = clock},
    RecordKind{.extractor = "modded-nanogpt.step",
               .literal = " train_loss:",
               .head = R"(\bstep:(?P<step>\d+)/(?P<total>\d+) )",
               .fields = step_fields,
               .body = Body::fields,
               .pattern = words,
               .expected = expected,
               .marks = clock},
    RecordKind{.extractor = "modded-nanogpt.time",
               .literal = " train_time:",
               .head = R"(\bstep:(?P<step>\d+)/(?P<total>\d+) train_time:)"},
    RecordKind{
        .extractor = "modded-nanogpt.memory",
        .literal = "peak memory ",
        .head =
            R"(\bpeak memory (?:allocated|consumption): (?P<allocated>\d+) MiB(?: reserved: (?P<reserved>\d+) MiB)?)",
        .fields = memory_fields,
        .role = Role::follower},
};

}  // namespace
}  // namespace modded_nanogpt

FormatSpec modded_nanogpt_format() {
  return make_format({.row = {"modded-nanogpt", "modded-nanogpt: one line per step and per evaluation"},
                      .kinds = modded_nanogpt::kinds});
}

}  // namespace gate::extract
