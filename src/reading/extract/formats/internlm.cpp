// Format `internlm`: InternLM and InternEvo, `name=word` parted by commas or blanks. Steps begin at 0; the
// speed is that of a device. Newer versions print the gradient norm of each group: that of the first one,
// `0_default`, is read.
//
//   ... in record_current_batch_training_metrics -- tflops=63.27,step=0,loss=11.63,tgs
//   (tokens/gpu/second)=...
//   ... -- tflops=186.6 step=1 loss=11.63 tgs (tokens/gpu/second)=3917.9 grad_norm={'0_default': 23.2, ...}
//   ...
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace internlm {
namespace {

constexpr std::array fields{
    FieldRow{"tflops", "throughput"},
    FieldRow{"loss", "lm_loss"},
    FieldRow{"tgs (tokens/gpu/second)", "tokens_per_second"},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"loss_scale", "loss_scale"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"num_consumed_tokens", "consumed_tokens"},
    counted_through(FieldRow{"inf_nan_skip_batches", "skipped_iterations"}),
};

constexpr std::array validation_fields{FieldRow{"loss", "validation_loss"}};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

constexpr std::array kinds{
    RecordKind{.extractor = "internlm.step",
               .literal = "tflops=",
               .head = R"(\btflops=(?P<tflops>[^,\s]+)[, ]step=(?P<step>\d+)[, ])",
               .fields = fields,
               .body = Body::fields,
               .pattern = R"(([A-Za-z_][\w/.-]*(?: \(tokens/gpu/second\))?)=(?:\{'0_default': )?([^,\s}]+))",
               .expected = expected},
    RecordKind{.extractor = "internlm.validation",
               .literal = "Validation on",
               .head = R"(\bValidation on \S+: step=(?P<step>\d+)[, ]val_loss=(?P<loss>[^,\s]+)[, ])",
               .fields = validation_fields,
               .role = Role::follower},
};

}  // namespace
}  // namespace internlm

FormatSpec internlm_format() {
  return make_format(
      {.row = {"internlm", "InternLM and InternEvo: lines of a batch"}, .kinds = internlm::kinds});
}

}  // namespace gate::extract
