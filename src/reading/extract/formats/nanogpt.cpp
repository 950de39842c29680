// Format `nanogpt`: nanoGPT. Iterations begin at 0. The mfu is printed as -100.00% until it is known, and
// read so. The train loss of an evaluation is an estimate of its own and is left unread.
//
//   iter 100: loss 2.3456, time 25.34ms, mfu 12.30%
//   step 250: train loss 1.9000, val loss 2.0000
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace nanogpt {
namespace {

constexpr std::array fields{
    FieldRow{"loss", "lm_loss"},
    FieldRow{"time", "iteration_time"},
    FieldRow{.printed = "mfu", .metric = "mfu", .when = Printed::sometimes},
};

constexpr std::array validation_fields{FieldRow{"loss", "validation_loss"}};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

constexpr std::array kinds{
    RecordKind{
        .extractor = "nanogpt.iteration",
        .literal = "iter ",
        .head =
            R"(\biter (?P<step>\d+): loss (?P<loss>.*?), time (?P<time>[^,\s]+ms)(?:, mfu (?P<mfu>\S+%))?)",
        .fields = fields,
        .expected = expected},
    RecordKind{.extractor = "nanogpt.evaluation",
               .literal = "val loss ",
               .head = R"(\bstep (?P<step>\d+): train loss [^,\s]+, val loss (?P<loss>\S+))",
               .fields = validation_fields,
               .role = Role::follower},
};

}  // namespace
}  // namespace nanogpt

FormatSpec nanogpt_format() {
  return make_format({.row = {"nanogpt", "nanoGPT: one line per iteration"}, .kinds = nanogpt::kinds});
}

}  // namespace gate::extract
