// Specimens of format `nemo`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::nemo_log {

inline constexpr std::string_view lines =
    "Training epoch 0, iteration 0/2 | lr: 4.5e-07 | global_batch_size: 8 | global_step: 0 | "
    "peak_memory_usage: 1048576 | memory_allocated: 524288 | reduced_train_loss: 11.0 | train_step_timing in "
    "s: 2.5\n"
    "Training epoch 0, iteration 1/2 | lr: 9e-07 | global_batch_size: 8 | global_step: 1 | "
    "peak_memory_usage: 1048576 | memory_allocated: 524288 | reduced_train_loss: nan | train_step_timing in "
    "s: 0.5 | consumed_samples: 16\n"
    "Validation epoch 0, iteration 1/10\n";

inline constexpr std::string_view bars =
    "Epoch 0: :   0%|          | 1/1000 [00:04<1:20:00, v_num=ab, reduced_train_loss=9.900, "
    "global_step=0.000, consumed_samples=8.000, train_step_timing in s=4.100]\r"
    "Epoch 0: :   0%|          | 2/1000 [00:05<1:10:00, v_num=ab, reduced_train_loss=9.900, "
    "global_step=0.000, consumed_samples=8.000, train_step_timing in s=4.100]\r"
    "Epoch 0: :   0%|          | 2/1000 [00:05<1:10:00, v_num=ab, reduced_train_loss=9.500, "
    "global_step=1.000, consumed_samples=16.00, train_step_timing in s=1.200]\n";

inline std::vector<Specimen> specimens() {
  return {{"NeMo 2: lines",
           lines,
           {{"lm_loss", -1, 0, "11.0"},
            {"lm_loss", -1, 1, "nan"},
            {"learning_rate", -1, 0, "4.5e-07"},
            {"learning_rate", -1, 1, "9e-07"},
            {"global_batch_size", -1, 0, "8"},
            {"global_batch_size", -1, 1, "8"},
            {"memory_max_allocated", -1, 1, "1048576"},
            {"memory_max_allocated", -1, 2, "1048576"},
            {"memory_allocated", -1, 1, "524288"},
            {"memory_allocated", -1, 2, "524288"},
            {"iteration_time", -1, 0, "2.5"},
            {"iteration_time", -1, 1, "0.5"},
            {"consumed_samples", -1, 1, "16"}}},
          {"NeMo 1: a bar, drawn with the values of the step before and then with its own",
           bars,
           {{"lm_loss", -1, 0, "9.900"},
            {"lm_loss", -1, 1, "9.500"},
            {"consumed_samples", -1, 0, "8.000"},
            {"consumed_samples", -1, 1, "16.00"},
            {"iteration_time", -1, 0, "4.100"},
            {"iteration_time", -1, 1, "1.200"}}}};
}

}  // namespace gate::extract::nemo_log
