// Specimens of format `mindspeed-mm`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::mindspeed_mm_log {

inline constexpr std::string_view plain =
    "iteration 1/10000 | consumed samples: 8 | elapsed time per iteration (ms): 6603.7 | learning rate: "
    "0.000000E+00 | global batch size: 8 | loss: 1.016570E+01 | grad norm: 50.001 |\n"
    " [2025-03-01 10:00:09] iteration        2/   10000 | consumed samples:           16 | elapsed time per "
    "iteration (ms): 1203.7 | learning rate: 1.000000E-05 | global batch size:     8 | loss scale: 1.0 | "
    "number of skipped iterations:   0 | number of nan iterations:   0 |\n"
    "[Rank 0] (after 2 iterations) memory (MB) | allocated: 9334.5 | max allocated: 12680.5 | reserved: "
    "13236.0 | max reserved: 13236.0\n"
    " validation loss at iteration 2 | loss value: 6.329505E+00 | loss PPL: 5.608791E+02 |\n"
    " validation loss at iteration 2 on validation set | loss value: 6.1E+00 | loss PPL: 4.4E+02 | \n"
    " validation loss at iteration 2 on 160-sample draw from test set | loss value: 6.2E+00 | loss PPL: "
    "4.9E+02 | \n";

inline constexpr std::string_view taking_turns =
    " [2025-03-01 10:00:01] iteration        1/     100 | elapsed time per iteration (s): 0.812500 | "
    "learning "
    "rate: 1.000000E-04 | generator     loss: 1.500000E+00 | loss scale: 65536.0 |\n"
    " [2025-03-01 10:00:02] iteration        2/     100 | elapsed time per iteration (s): 0.412500 | "
    "learning "
    "rate: 1.000000E-04 | discriminator loss: 6.900000E-01 | loss scale: 65536.0 |\n";

inline constexpr std::string_view no_last_bar =
    "iteration        1/     100 | learning rate: 1.000000E-05 | global batch size:     8 | loss: "
    "3.500000E+00 "
    "| grad norm: 5.012300E+00 | elapsed time per iteration: 9812.50\n"
    "iteration        2/     100 | learning rate: 1.000000E-05 | global batch size:     8 | loss: "
    "3.400000E+00 "
    "| grad norm: 4.012300E+00 | elapsed time per iteration: 5412.50 | tokens per sample: 811.5\n";

inline std::vector<Specimen> specimens() {
  return {{"with a loss that was left out, a report and a validation",
           plain,
           {{"consumed_samples", -1, 1, "8"},
            {"iteration_time", -1, 1, "6603.7"},
            {"learning_rate", -1, 1, "0.000000E+00"},
            {"global_batch_size", -1, 1, "8"},
            {"lm_loss", -1, 1, "1.016570E+01"},
            {"grad_norm", -1, 1, "50.001"},
            {"loss_scale", -1, 1, ""},
            {"skipped_iterations", -1, 1, ""},
            {"nan_iterations", -1, 1, ""},
            {"consumed_samples", -1, 2, "16"},
            {"iteration_time", -1, 2, "1203.7"},
            {"learning_rate", -1, 2, "1.000000E-05"},
            {"global_batch_size", -1, 2, "8"},
            {"lm_loss", -1, 2, ""},
            {"grad_norm", -1, 2, ""},
            {"loss_scale", -1, 2, "1.0"},
            {"skipped_iterations", -1, 2, "0"},
            {"nan_iterations", -1, 2, "0"},
            {"memory_allocated", 0, 1, "9334.5"},
            {"memory_max_allocated", 0, 1, "12680.5"},
            {"memory_reserved", 0, 1, "13236.0"},
            {"memory_max_reserved", 0, 1, "13236.0"},
            {"validation_loss", -1, 2, "6.329505E+00"},
            {"final_validation_loss", -1, 2, "6.1E+00"},
            {"test_loss", -1, 2, "6.2E+00"}}},
          {"a generator and a discriminator",
           taking_turns,
           {{"iteration_time", -1, 1, "0.812500"},
            {"learning_rate", -1, 1, "1.000000E-04"},
            {"lm_loss", -1, 1, "1.500000E+00"},
            {"loss_scale", -1, 1, "65536.0"},
            {"iteration_time", -1, 2, "0.412500"},
            {"learning_rate", -1, 2, "1.000000E-04"},
            {"discriminator_loss", -1, 2, "6.900000E-01"},
            {"loss_scale", -1, 2, "65536.0"}}},
          {"without a last bar",
           no_last_bar,
           {{"learning_rate", -1, 1, "1.000000E-05"},
            {"global_batch_size", -1, 1, "8"},
            {"lm_loss", -1, 1, "3.500000E+00"},
            {"grad_norm", -1, 1, "5.012300E+00"},
            {"learning_rate", -1, 2, "1.000000E-05"},
            {"global_batch_size", -1, 2, "8"},
            {"lm_loss", -1, 2, "3.400000E+00"},
            {"grad_norm", -1, 2, "4.012300E+00"}}}};
}

}  // namespace gate::extract::mindspeed_mm_log
