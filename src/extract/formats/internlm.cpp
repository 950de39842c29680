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
    FieldRow{"inf_nan_skip_batches", "skipped_iterations"},
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

constexpr std::string_view commas =
    "2023-07-07 12:28:57,802\tINFO train.py:323 in record_current_batch_training_metrics -- "
    "tflops=63.27,step=0,loss=11.634,tgs (tokens/gpu/second)=1424.64,lr=4e-07,loss_scale=65536.0,"
    "grad_norm=63.67,micro_num=4,num_consumed_tokens=131072,inf_nan_skip_batches=0,fwd_bwd_time=6.48\n";

constexpr std::string_view blanks =
    "2024-03-21 14:48:31,587\tINFO pipeline.py:663 in record_current_batch_training_metrics -- tflops=186.6 "
    "step=1 loss=11.6 real_tgs=205.5 tgs (tokens/gpu/second)=3917.95 tgs/last_tgs_1=3917.97 lr=6e-07 "
    "loss_scale=65536.0 grad_norm={'0_default': 23.29, '1_fp32': 0.0} micro_num=4 "
    "num_consumed_tokens=262144 inf_nan_skip_batches=0 acc=0.0 loss_from_metric=11.6199 loss/en=nan \n"
    "2024-03-21 14:48:33,587\tINFO utils.py:83 in evaluate -- Validation on val: step=1 val_loss=11.5 "
    "val_plex=98715.7 val_acc=0.1\n";

std::vector<Specimen> specimens() {
  return {{"parted by commas",
           commas,
           {{"throughput", -1, 0, "63.27"},
            {"lm_loss", -1, 0, "11.634"},
            {"tokens_per_second", -1, 0, "1424.64"},
            {"learning_rate", -1, 0, "4e-07"},
            {"loss_scale", -1, 0, "65536.0"},
            {"grad_norm", -1, 0, "63.67"},
            {"consumed_tokens", -1, 0, "131072"},
            {"skipped_iterations", -1, 0, "0"}}},
          {"parted by blanks, a gradient norm for each group",
           blanks,
           {{"throughput", -1, 1, "186.6"},
            {"lm_loss", -1, 1, "11.6"},
            {"tokens_per_second", -1, 1, "3917.95"},
            {"learning_rate", -1, 1, "6e-07"},
            {"loss_scale", -1, 1, "65536.0"},
            {"grad_norm", -1, 1, "23.29"},
            {"consumed_tokens", -1, 1, "262144"},
            {"skipped_iterations", -1, 1, "0"},
            {"validation_loss", -1, 1, "11.5"}}}};
}

}  // namespace
}  // namespace internlm

FormatSpec internlm_format() {
  return make_format({.row = {"internlm", "InternLM and InternEvo: lines of a batch"},
                      .kinds = internlm::kinds,
                      .specimens = internlm::specimens});
}

}  // namespace gate::extract
