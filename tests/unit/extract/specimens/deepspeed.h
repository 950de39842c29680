// Specimens of format `deepspeed`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::deepspeed_log {

inline constexpr std::string_view engine =
    "[2026-01-07 01:55:08,040] [INFO] [logging.py:96:log_dist] [Rank 0] Overflow detected. Skipping step. "
    "Attempted loss scale: 8192.0, reducing to 4096.0\n"
    "[2026-01-07 01:55:23,711] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=4, "
    "lr=[4.99e-05, 4.99e-05], mom=[(0.9, 0.95), (0.9, 0.95)]\n"
    "[2026-01-07 01:55:23,714] [INFO] [timer.py:260:stop] epoch=0/micro_step=40/global_step=10, "
    "RunningAvgSamplesPerSec=25.02, CurrSamplesPerSec=25.7, MemAllocated=4.5GB, MaxMemAllocated=38.25GB\n"
    "[2026-01-07 01:56:23,711] [INFO] [logging.py:96:log_dist] [Rank 0] step=20, skipped=4, lr=[4.5e-05], "
    "mom=[(0.9, 0.95)]\n"
    "[2026-01-07 01:56:23,714] [INFO] [timer.py:198:stop] 0/20, RunningAvgSamplesPerSec=25.02, "
    "CurrSamplesPerSec=nan, MemAllocated=4.5GB, MaxMemAllocated=38.2";

inline constexpr std::string_view pipeline =
    "steps: 1 loss: 12.6360 iter time (s): 15.170 samples/sec: 1.055\n"
    "steps: 2 loss: nan iter time (s): 14.5 samples/sec: 1.103\n";

inline std::vector<Specimen> specimens() {
  return {{"the engine and its timer, cut off",
           engine,
           {{"skipped_iterations", -1, 10, "4"},
            {"learning_rate", -1, 10, "4.99e-05"},
            {"samples_per_second", -1, 10, "25.7"},
            {"memory_allocated", -1, 1, "4.5GB"},
            {"memory_max_allocated", -1, 1, "38.25GB"},
            {"skipped_iterations", -1, 20, "4"},
            {"learning_rate", -1, 20, "4.5e-05"},
            {"samples_per_second", -1, 20, "nan"},
            {"memory_allocated", -1, 2, "4.5GB"}}},
          {"pipeline",
           pipeline,
           {{"lm_loss", -1, 1, "12.6360"},
            {"iteration_time", -1, 1, "15.170"},
            {"samples_per_second", -1, 1, "1.055"},
            {"lm_loss", -1, 2, "nan"},
            {"iteration_time", -1, 2, "14.5"},
            {"samples_per_second", -1, 2, "1.103"}}}};
}

}  // namespace gate::extract::deepspeed_log
