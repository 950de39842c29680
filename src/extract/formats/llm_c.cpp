// Format `llm.c`: Karpathy's llm.c, in CUDA, in C, and its PyTorch twin. The time is each step's; tok/s,
// which the CUDA program smooths over twenty steps, is left unread. A validation loss belongs to the step
// that was printed before it, the first one to step 0.
//
//   step    1/18865 | loss 11.009 (+nanz)| norm 15.3 (+nanz)| lr 0.00e+00 | 3062.9 ms | 56.9% bf16 MFU | ...
//   step    1/10 | train loss 11.009690 | norm 15.3 | lr 3.00e-04 | (380.9 ms | 10752 tok/s)
//   step 1/74: train loss 4.367631 (acc 4.367631) (80.6 ms, 50816 tok/s)
//   step 0: train loss 5.356189 (took 1253.4 ms)
//   val loss 5.325
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

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

constexpr std::array kinds{
    RecordKind{
        .extractor = "llm.c.step",
        .literal = "tok/s",
        .head =
            R"(\bstep +(?P<step>\d+)/(?P<total>\d+) \| (?:train )?loss (?P<loss>\S+)[^|]*\| norm (?P<norm>\S+)[^|]*)"
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
               .head = R"(^\s*val loss (?P<loss>\d\S*)\s*$)",
               .fields = validation_fields,
               .role = Role::follower,
               .steps = Steps::before},
};

constexpr std::string_view cuda =
    "step    1/18865 | loss 11.009690 (+nanz)| norm 15.3586 (+nanz)| lr 0.00e+00 | 3062.93 ms | 56.9% bf16 "
    "MFU | 171195 tok/s\n"
    "val loss 10.950000\n"
    "step    2/18865 | loss 10.960000 (+1.25z)| norm 15.2 (-0.50z)| lr 8.57e-07 | 3062.11 ms | 56.9% bf16 "
    "MFU | 171240 tok/s\n";

constexpr std::string_view twin =
    "step    1/10 | train loss 5.270007 | norm 30.0 | lr 1.00e-04 | (380.92 ms | 10752 tok/s)\n"
    "step 2/10: train loss 4.367631 (acc 4.367631) (80.6 ms, 50816 tok/s)\n"
    "step 3/10: train loss 4.25 (80.5 ms, 50817 tok/s)\n";

constexpr std::string_view cpu =
    "val loss 5.325\n"
    "step 0: train loss 5.356189 (took 1253.4 ms)\n"
    "step 1: train loss 4.301069 (took 1229.1 ms)\n"
    "val loss 4.25\n";

std::vector<Specimen> specimens() {
  return {{"CUDA",
           cuda,
           {{"lm_loss", -1, 1, "11.009690"},
            {"lm_loss", -1, 2, "10.960000"},
            {"grad_norm", -1, 1, "15.3586"},
            {"grad_norm", -1, 2, "15.2"},
            {"learning_rate", -1, 1, "0.00e+00"},
            {"learning_rate", -1, 2, "8.57e-07"},
            {"iteration_time", -1, 1, "3062.93"},
            {"iteration_time", -1, 2, "3062.11"},
            {"mfu", -1, 1, "56.9%"},
            {"mfu", -1, 2, "56.9%"},
            {"validation_loss", -1, 1, "10.950000"}}},
          {"PyTorch, and CUDA before",
           twin,
           {{"lm_loss", -1, 1, "5.270007"},
            {"lm_loss", -1, 2, "4.367631"},
            {"lm_loss", -1, 3, "4.25"},
            {"grad_norm", -1, 1, "30.0"},
            {"learning_rate", -1, 1, "1.00e-04"},
            {"iteration_time", -1, 1, "380.92"},
            {"iteration_time", -1, 2, "80.6"},
            {"iteration_time", -1, 3, "80.5"}}},
          {"C",
           cpu,
           {{"lm_loss", -1, 0, "5.356189"},
            {"lm_loss", -1, 1, "4.301069"},
            {"iteration_time", -1, 0, "1253.4"},
            {"iteration_time", -1, 1, "1229.1"},
            {"validation_loss", -1, 0, "5.325"},
            {"validation_loss", -1, 1, "4.25"}}}};
}

}  // namespace
}  // namespace llm_c

FormatSpec llm_c_format() {
  return make_format({.row = {"llm.c", "llm.c: a line a step, of its CUDA, C and PyTorch trainers"},
                      .kinds = llm_c::kinds,
                      .specimens = llm_c::specimens,
                      .sign = R"(\bstep )"});
}

}  // namespace gate::extract
