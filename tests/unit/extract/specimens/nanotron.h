// Specimens of format `nanotron`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::nanotron_log {

inline constexpr std::string_view plain =
    "08/31/2024 14:37:31 [INFO|DP=0|PP=1|TP=0|node-3]: iteration: 1 / 15 | consumed_tokens: 1.05M | "
    "elapsed_time_per_iteration_ms: 4.71K | tokens_per_sec: 3.49K | tokens_per_sec_per_gpu: 872 | "
    "global_batch_size: 256 | lm_loss: 10.5 | lr: 0.00015 | model_tflops_per_gpu: 1.87e-05 | "
    "hardware_tflops_per_gpu: 1.9e-05 | grad_norm: 2.96 | cuda_memory_allocated: 67.4M | "
    "cuda_max_memory_reserved: 1.52G | hd_total_memory_tb: 2.13T\n";

inline std::vector<Specimen> specimens() {
  return {{"a line",
           plain,
           {{"lm_loss", -1, 1, "10.5"},
            {"grad_norm", -1, 1, "2.96"},
            {"learning_rate", -1, 1, "0.00015"},
            {"iteration_time", -1, 1, "4.71K"},
            {"tokens_per_second", -1, 1, "872"},
            {"throughput", -1, 1, "1.87e-05"},
            {"memory_allocated", -1, 1, "67.4M"},
            {"memory_max_reserved", -1, 1, "1.52G"},
            {"global_batch_size", -1, 1, "256"},
            {"consumed_tokens", -1, 1, "1.05M"}}}};
}

}  // namespace gate::extract::nanotron_log
