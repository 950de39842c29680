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

bool may_differ(std::string_view line) {
  constexpr std::array<std::string_view, 4> own{">>", "max_memory_", "s/s", "iteration: "};
  return holds_literal(own, line);
}

}  // namespace
}  // namespace mindspeed_fsdp2

FormatSpec mindspeed_fsdp2_format() {
  FormatSpec format =
      make_format({.row = {"mindspeed-fsdp2", "MindSpeed-LLM on its FSDP2 backend: monitor and trainer"},
                   .kinds = mindspeed_fsdp2::kinds,
                   .supersedes = mindspeed_fsdp2::contained,
                   .signature = R"(^>> +iteration|max_memory_(?:allocated|reserved)\(GB\): |\| *tokens/s: )"
                                R"(|throughput\(samples/s\): )"});
  format.may_differ = mindspeed_fsdp2::may_differ;
  return format;
}

}  // namespace gate::extract
