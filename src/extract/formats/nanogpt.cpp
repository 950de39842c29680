// Format `nanogpt`: nanoGPT. Iterations begin at 0. Until it is known mfu is printed as -100.00%, and read
// so. The train loss of an evaluation is an estimate of its own and is left unread.
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
    FieldRow{"mfu", "mfu", {1, 0}, Scope::run, Turn::times, Printed::sometimes},
};

constexpr std::array validation_fields{FieldRow{"loss", "validation_loss"}};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

constexpr std::array kinds{
    RecordKind{
        .extractor = "nanogpt.iteration",
        .literal = "iter ",
        .head =
            R"(\biter (?P<step>\d+): loss (?P<loss>[^,\s]+), time (?P<time>[^,\s]+ms)(?:, mfu (?P<mfu>\S+%))?)",
        .fields = fields,
        .expected = expected},
    RecordKind{.extractor = "nanogpt.evaluation",
               .literal = "val loss ",
               .head = R"(\bstep (?P<step>\d+): train loss [^,\s]+, val loss (?P<loss>\S+))",
               .fields = validation_fields,
               .role = Role::follower},
};

constexpr std::string_view plain =
    "step 0: train loss 10.9889, val loss 10.9901\n"
    "iter 0: loss 10.9887, time 40123.21ms, mfu -100.00%\n"
    "iter 1: loss nan, time 512.34ms, mfu 41.20%\n"
    "iter 2: loss 9.5021, time 512.11ms\n";

std::vector<Specimen> specimens() {
  return {{"iterations and an evaluation",
           plain,
           {{"lm_loss", -1, 0, "10.9887"},
            {"lm_loss", -1, 1, "nan"},
            {"lm_loss", -1, 2, "9.5021"},
            {"iteration_time", -1, 0, "40123.21ms"},
            {"iteration_time", -1, 1, "512.34ms"},
            {"iteration_time", -1, 2, "512.11ms"},
            {"mfu", -1, 0, "-100.00%"},
            {"mfu", -1, 1, "41.20%"},
            {"validation_loss", -1, 0, "10.9901"}}}};
}

}  // namespace
}  // namespace nanogpt

FormatSpec nanogpt_format() {
  return make_format({.row = {"nanogpt", "nanoGPT: a line an iteration"},
                      .kinds = nanogpt::kinds,
                      .specimens = nanogpt::specimens});
}

}  // namespace gate::extract
