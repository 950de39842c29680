// Format `mindspeed-fsdp2`: the monitor of MindSpeed-LLM's FSDP2 backend, which prints Megatron's lines with
// more fields, and the trainer of the same backend, whose lines announce no total and end in no bar. Memory
// is the largest of all ranks, in GiB; tokens and samples a second are those of all devices together.
//
//   INFO [2026-06-22 19:28:40] >>  iteration        1/    2000 | ... | lm loss: 1.304194E+00 | grad
//   norm: 8.515 | max_memory_allocated(GB): 19.07 | max_memory_reserved(GB): 20.87 | iteration: 1 | ... |
//   throughput(samples/s): 0.8 | ... | lm loss: 1.3042 | grad norm: 8.5150
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace mindspeed_fsdp2 {
namespace {

constexpr std::array fields{
    FieldRow{"lm loss", "lm_loss"},
    FieldRow{"mtp loss", "mtp_1_loss"},
    FieldRow{"mtp_1 loss", "mtp_1_loss"},
    FieldRow{"mtp_2 loss", "mtp_2_loss"},
    FieldRow{"aux loss", "load_balancing_loss"},
    FieldRow{"indexer loss", "indexer_loss"},
    FieldRow{"grad norm", "grad_norm"},
    FieldRow{"tokens/s", "tokens_per_second"},
    FieldRow{"throughput(samples/s)", "samples_per_second"},
    FieldRow{"mfu", "mfu"},
    FieldRow{"elapsed time per iteration (ms)", "iteration_time"},
    FieldRow{"max_memory_allocated(GB)", "memory_max_allocated", mib_per_gib},
    FieldRow{"max_memory_reserved(GB)", "memory_max_reserved", mib_per_gib},
    FieldRow{"learning rate", "learning_rate"},
    FieldRow{"global batch size", "global_batch_size"},
    FieldRow{"consumed samples", "consumed_samples"},
    FieldRow{"consumed tokens", "consumed_tokens"},
};

constexpr std::array expected{FieldRow{"lm loss", "lm_loss"}};
constexpr std::array<std::string_view, 1> contained{"megatron"};

constexpr std::array kinds{
    RecordKind{.extractor = "mindspeed-fsdp2.iteration",
               .literal = "iteration",
               .head = R"((?:>> +)?\biteration +(?P<step>\d+)/ *(?P<total>\d+) *\|)",
               .fields = fields,
               .body = Body::barred,
               .style = FieldStyle::unit_colon,
               .expected = expected},
    RecordKind{.extractor = "mindspeed-fsdp2.line",
               .literal = "iteration:",
               .head = R"((?:>> +)?\biteration: (?P<step>\d+) \|)",
               .fields = fields,
               .body = Body::fields,
               .style = FieldStyle::unit_colon,
               .last = "grad norm",
               .expected = expected},
};

constexpr std::string_view monitor =
    "INFO [2026-06-22 19:28:40] >>  iteration        1/    2000 | consumed samples:          8 | consumed "
    "tokens:      32768 | elapsed time per iteration (ms): 10520.60 | tokens/s: 3114.65 | mfu: 12.50 | "
    "learning rate: 9.999994E-06 | global batch size:     8 | lm loss: 1.304194E+00 | mtp loss: 1.400000E+00 "
    "| aux loss: 1.010000E-02 | indexer loss: 2.000000E-01 | grad norm: 8.515 | max_memory_allocated(GB): "
    "19.07 | max_memory_reserved(GB): 20.87 | cpu_used_memory(GB): 101.50 | cpu_available_memory(GB): 800.25 "
    "| cpu_memory_usage(%): 11.2 |\n"
    "INFO [2026-06-22 19:28:50] >>  iteration        2/    2000 | consumed samples:         16 | consumed "
    "tokens:      65536 | elapsed time per iteration (ms): 1520.60 | tokens/s: 21114.65 | mfu: 31.50 | "
    "learning rate: 9.999994E-06 | global batch size:     8 | mtp loss: 1.300000E+00 | aux loss: "
    "1.000000E-02 "
    "| indexer loss: nan | grad norm: 7.515 | max_memory_allocated(GB): 19.08 | max_memory_reserved(GB): "
    "20.88 "
    "|\n";

constexpr std::string_view trainer =
    "[INFO|trainer.py:801] 2026-06-22 19:28:40 >> iteration: 1 | consumed samples: 8 | elapsed time per "
    "iteration (ms): 10520.6 | throughput(samples/s): 0.8 | learning rate: 9.999994E-06 | global batch size: "
    " "
    "  8 | lm loss: 1.3042 | grad norm: 8.5150\n";

std::vector<Specimen> specimens() {
  return {{"the monitor's lines, the second without its loss",
           monitor,
           {{"consumed_samples", -1, 1, "8"},
            {"consumed_tokens", -1, 1, "32768"},
            {"iteration_time", -1, 1, "10520.60"},
            {"tokens_per_second", -1, 1, "3114.65"},
            {"mfu", -1, 1, "12.50"},
            {"learning_rate", -1, 1, "9.999994E-06"},
            {"global_batch_size", -1, 1, "8"},
            {"lm_loss", -1, 1, "1.304194E+00"},
            {"mtp_1_loss", -1, 1, "1.400000E+00"},
            {"load_balancing_loss", -1, 1, "1.010000E-02"},
            {"indexer_loss", -1, 1, "2.000000E-01"},
            {"grad_norm", -1, 1, "8.515"},
            {"memory_max_allocated", -1, 1, "19.07"},
            {"memory_max_reserved", -1, 1, "20.87"},
            {"consumed_samples", -1, 2, "16"},
            {"consumed_tokens", -1, 2, "65536"},
            {"iteration_time", -1, 2, "1520.60"},
            {"tokens_per_second", -1, 2, "21114.65"},
            {"mfu", -1, 2, "31.50"},
            {"learning_rate", -1, 2, "9.999994E-06"},
            {"global_batch_size", -1, 2, "8"},
            {"lm_loss", -1, 2, ""},
            {"mtp_1_loss", -1, 2, "1.300000E+00"},
            {"load_balancing_loss", -1, 2, "1.000000E-02"},
            {"indexer_loss", -1, 2, "nan"},
            {"grad_norm", -1, 2, "7.515"},
            {"memory_max_allocated", -1, 2, "19.08"},
            {"memory_max_reserved", -1, 2, "20.88"}}},
          {"the trainer's line",
           trainer,
           {{"consumed_samples", -1, 1, "8"},
            {"iteration_time", -1, 1, "10520.6"},
            {"samples_per_second", -1, 1, "0.8"},
            {"learning_rate", -1, 1, "9.999994E-06"},
            {"global_batch_size", -1, 1, "8"},
            {"lm_loss", -1, 1, "1.3042"},
            {"grad_norm", -1, 1, "8.5150"}}}};
}

}  // namespace
}  // namespace mindspeed_fsdp2

FormatSpec mindspeed_fsdp2_format() {
  return make_format({.row = {"mindspeed-fsdp2", "MindSpeed-LLM on its FSDP2 backend: monitor and trainer"},
                      .kinds = mindspeed_fsdp2::kinds,
                      .specimens = mindspeed_fsdp2::specimens,
                      .over = mindspeed_fsdp2::contained,
                      .sign = R"(^>> +iteration|max_memory_(?:allocated|reserved)\(GB\): |\| *tokens/s: )"
                              R"(|throughput\(samples/s\): )"});
}

}  // namespace gate::extract
