// Specimens of format `mindformers`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::mindformers_log {

inline constexpr std::string_view two_epochs =
    "2025-04-07 15:34:27,308 - [mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  1/  2], "
    "step:[    "
    "1/    2], loss: 10.649, per_step_time: 103328ms, lr: 0.0, overflow cond: False, loss_scale: 1.0, "
    "global_norm: [44.313248], train_throughput_per_npu: 2.896T\n"
    "2025-04-07 15:34:27,309 - [mindformers/core/callback/callback.py:544] - INFO -   25.0% "
    "|\xe2\x96\x88\xe2\x96\x88        | 0.00968 samples/s/p  0:05:09 }\n"
    "2025-04-07 15:34:29,173 - [mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  1/  2], "
    "step:[    "
    "2/    2], loss: nan, per_step_time: 1752ms, lr: 1e-05, overflow cond: True, loss_scale: 1.0, "
    "global_norm: [1 508834], train_throughput_per_npu: 170.738T\n"
    "2025-04-07 15:34:31,173 - [mindformers/core/callback/callback.py:529] - INFO - { Epoch:[  2/  2], "
    "step:[    "
    "1/    2], loss:[10.500/10.575], per_step_time: 1750ms, lr: [1.e-05], overflow cond: False, loss_scale: "
    "None, global_norm: [40.5]\n";

inline std::vector<Specimen> specimens() {
  return {{"two epochs, one norm with its point lost",
           two_epochs,
           {{"lm_loss", -1, 1, "10.649"},
            {"iteration_time", -1, 1, "103328ms"},
            {"learning_rate", -1, 1, "0.0"},
            {"loss_scale", -1, 1, "1.0"},
            {"grad_norm", -1, 1, "44.313248"},
            {"throughput", -1, 1, "2.896T"},
            {"samples_per_second", -1, 1, "0.00968"},
            {"lm_loss", -1, 2, "nan"},
            {"iteration_time", -1, 2, "1752ms"},
            {"learning_rate", -1, 2, "1e-05"},
            {"loss_scale", -1, 2, "1.0"},
            {"throughput", -1, 2, "170.738T"},
            {"lm_loss", -1, 3, "10.500"},
            {"iteration_time", -1, 3, "1750ms"},
            {"learning_rate", -1, 3, "1.e-05"},
            {"loss_scale", -1, 3, ""},
            {"grad_norm", -1, 3, "40.5"},
            {"throughput", -1, 3, ""}}}};
}

}  // namespace gate::extract::mindformers_log
