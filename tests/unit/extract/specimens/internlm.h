// Specimens of format `internlm`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::internlm_log {

inline constexpr std::string_view commas =
    "2023-07-07 12:28:57,802\tINFO train.py:323 in record_current_batch_training_metrics -- "
    "tflops=63.27,step=0,loss=11.634,tgs (tokens/gpu/second)=1424.64,lr=4e-07,loss_scale=65536.0,"
    "grad_norm=63.67,micro_num=4,num_consumed_tokens=131072,inf_nan_skip_batches=0,fwd_bwd_time=6.48\n";

inline constexpr std::string_view blanks =
    "2024-03-21 14:48:31,587\tINFO pipeline.py:663 in record_current_batch_training_metrics -- tflops=186.6 "
    "step=1 loss=11.6 real_tgs=205.5 tgs (tokens/gpu/second)=3917.95 tgs/last_tgs_1=3917.97 lr=6e-07 "
    "loss_scale=65536.0 grad_norm={'0_default': 23.29, '1_fp32': 0.0} micro_num=4 "
    "num_consumed_tokens=262144 inf_nan_skip_batches=0 acc=0.0 loss_from_metric=11.6199 loss/en=nan \n"
    "2024-03-21 14:48:33,587\tINFO utils.py:83 in evaluate -- Validation on val: step=1 val_loss=11.5 "
    "val_plex=98715.7 val_acc=0.1\n";

inline std::vector<Specimen> specimens() {
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

}  // namespace gate::extract::internlm_log
