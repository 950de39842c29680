// Specimens of format `paddlenlp`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::paddlenlp_log {

inline constexpr std::string_view plain =
    "[2024-05-13 10:11:12,345] [    INFO] - loss: 12.06, learning_rate: 2e-06, global_step: 1, "
    "current_memory_allocated: 7.5, current_memory_reserved: 7.75, max_memory_allocated: 7.5, "
    "max_memory_reserved: 7.75, interval_runtime: 1.1518, interval_samples_per_second: 0.8682, "
    "interval_tokens_per_second_per_device: 889.0448, interval_hardware_tflops_per_device: 2.77, "
    "interval_steps_per_second: 0.5, progress_or_epoch: 0.0\n"
    "[2024-05-13 10:11:15,345] [    INFO] - eval_loss: 12.0, eval_runtime: 3.1, "
    "eval_samples_per_second: 3.2, progress_or_epoch: 0.1\n";

inline std::vector<Specimen> specimens() {
  return {{"a step and an evaluation",
           plain,
           {{"lm_loss", -1, 1, "12.06"},
            {"learning_rate", -1, 1, "2e-06"},
            {"memory_allocated", -1, 1, "7.5"},
            {"memory_reserved", -1, 1, "7.75"},
            {"memory_max_allocated", -1, 1, "7.5"},
            {"memory_max_reserved", -1, 1, "7.75"},
            {"samples_per_second", -1, 1, "0.8682"},
            {"tokens_per_second", -1, 1, "889.0448"},
            {"throughput", -1, 1, "2.77"},
            {"iteration_time", -1, 1, "0.5"},
            {"validation_loss", -1, 1, "12.0"}}}};
}

}  // namespace gate::extract::paddlenlp_log
