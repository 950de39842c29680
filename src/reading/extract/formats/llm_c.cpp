// Format `llm.c`: Karpathy's llm.c, in CUDA, in C, and its PyTorch twin. The time is each step's; tok/s,
// which the CUDA program smooths over twenty steps, is left unread. A validation loss belongs to the step
// that was printed before it, the first one to step 0.
//
//   step    1/18865 | loss 11.009 (+nanz)| norm 15.3 (+nanz)| lr 0.00e+00 | 3062.9 ms | 56.9% bf16 MFU | ...
//   step    1/10 | train loss 11.009690 | norm 15.3 | lr 3.00e-04 | (380.9 ms | 10752 tok/s)
//   step 1/74: train loss 4.367631 (acc 4.367631) (80.6 ms, 50816 tok/s)
//   step 0: train loss 5.356189 (took 1253.4 ms)
//   val loss 5.325
//
// What stands for nan is as wide as the numbers: `loss     nan (+nanz)`. Its file main.log, and the one of
// the twin, have a line a value: `s:0 tel:11.0`, a validation in front of step 0, and `s:0 trl:11.0`, its
// loss.
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace llm_c {
namespace {

constexpr std::array fields{
    FieldRow{"loss", "lm_loss"},      FieldRow{"norm", "grad_norm"}, FieldRow{"lr", "learning_rate"},
    FieldRow{"ms", "iteration_time"}, FieldRow{"mfu", "mfu"},
};

constexpr std::array validation_fields{FieldRow{"loss", "validation_loss"}};
constexpr std::array file_validation_fields{FieldRow{"tel", "validation_loss"},
                                            FieldRow{"eval", "eval_accuracy"}};
constexpr std::array file_fields{FieldRow{"trl", "lm_loss"}, FieldRow{"lr", "learning_rate"},
                                 FieldRow{"norm", "grad_norm"}};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

constexpr std::array kinds{
    RecordKind{
        .extractor = "llm.c.step",
        .literal = "tok/s",
        .head =
            R"(\bstep +(?P<step>\d+)/(?P<total>\d+) \| (?:train )?loss +(?P<loss>\S+)[^|]*\| norm +(?P<norm>\S+)[^|]*)"
            R"(\| lr (?P<lr>\S+) \| \(?(?P<ms>\S+) ms \| (?:(?P<mfu>\S+%) (?:bf16 |fp32 |fp16 )?MFU \| )?\S+ tok/s)",
        .fields = fields,
        .expected = expected},
    RecordKind{
        .extractor = "llm.c.old",
        .literal = "tok/s",
        .head =
            R"(\bstep +(?P<step>\d+)/(?P<total>\d+): train loss (?P<loss>\S+) (?:\(acc \S+\) )?\((?P<ms>\S+) ms, \S+ tok/s\))",
        .fields = fields,
        .expected = expected},
    RecordKind{.extractor = "llm.c.cpu",
               .literal = "(took ",
               .head = R"(\bstep (?P<step>\d+): train loss (?P<loss>\S+) \(took (?P<ms>\S+) ms\))",
               .fields = fields,
               .expected = expected},
    RecordKind{.extractor = "llm.c.validation",
               .literal = "val loss ",
               .head = R"(^\s*val loss +(?P<loss>-?(?:\d\S*|nan|inf))\s*$)",
               .fields = validation_fields,
               .role = Role::follower,
               .steps = Steps::before},
    RecordKind{.extractor = "llm.c.file",
               .literal = " trl:",
               .head = R"(\bs:(?P<step>\d+) trl:(?P<trl>\S+)(?: lr:(?P<lr>\S+))?(?: norm:(?P<norm>\S+))?)",
               .fields = file_fields},
    RecordKind{.extractor = "llm.c.file_validation",
               .literal = " tel:",
               .head = R"(\bs:(?P<step>\d+) tel:(?P<tel>\S+))",
               .fields = file_validation_fields,
               .role = Role::follower},
    RecordKind{.extractor = "llm.c.file_evaluation",
               .literal = " eval:",
               .head = R"(\bs:(?P<step>\d+) eval:(?P<eval>\S+))",
               .fields = file_validation_fields,
               .role = Role::follower},
};

}  // namespace
}  // namespace llm_c

FormatSpec llm_c_format() {
  return make_format({.row = {"llm.c", "llm.c: one line per step, CUDA, C and PyTorch trainers"},
                      .kinds = llm_c::kinds,
                      .signature = R"(\bstep |\bs:\d)"});
}

}  // namespace gate::extract
