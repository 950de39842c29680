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

// Actor and critic report a step one behind the other; the script counts its steps from 0 in each epoch.
inline constexpr std::string_view chat =
    "***** Running training *****\n"
    "epoch: 0|step: 0|ppo_ep: 1|act_loss: 0.25|cri_loss: 0.125|unsuper_loss: 0.0\n"
    "average reward score: -0.5\n"
    "|E2E latency=7.5s |Gather latency=0.00s (0.00%) |Generate time=5.26s (65.81%) |CurSamplesPerSec=8.01\n"
    "[2026-01-07 08:48:36,035] [INFO] [logging.py:96:log_dist] [Rank 0] step=2, skipped=1, lr=[5.5e-07], "
    "mom=[(0.9, 0.95)]\n"
    "[2026-01-07 08:48:36,058] [INFO] [timer.py:199:stop] epoch=0/micro_step=2/global_step=2, "
    "RunningAvgSamplesPerSec=86.5, CurrSamplesPerSec=78.5, MemAllocated=10.5GB, MaxMemAllocated=20.5GB\n"
    "[2026-01-07 08:48:36,251] [INFO] [logging.py:96:log_dist] [Rank 0] step=2, skipped=0, lr=[3.5e-07], "
    "mom=[(0.9, 0.95)]\n"
    "epoch: 0|step: 1|ppo_ep: 1|act_loss: nan|cri_loss: 0.5|unsuper_loss: 0.0\n"
    "average reward score: 0.75\n"
    "epoch: 1|step: 0|ppo_ep: 1|act_loss: 0.375|cri_loss: 0.0625|unsuper_loss: 0.0\n";

inline constexpr std::string_view newer_chat =
    "***** Running training (total_iters=8) *****\n"
    "Epoch: 0 | Step: 0 | PPO Epoch: 1 | Actor Loss: 0.25 | Critic Loss: nan | Unsupervised Loss: 0.0\n"
    "End-to-End => Latency: 3.5s, TFLOPs: 10.11, Samples/sec: 16.50, Time/seq 0.06s, Batch Size: 64\n"
    "Generation => Latency: 2.50s, Per-token Latency 9.5 ms, TFLOPs: 4.5, BW: 100.0 GB/sec\n"
    "Training   => Latency: 1.00s, TFLOPs: 20.5\n"
    "Actor Model Parameters => 1.316 B, Critic Model Parameters => 0.331 B\n"
    "Average reward score: 1.5 | EMA reward score: 1.25\n"
    "----------------------------------------------------------------\n"
    "Epoch: 0 | Step: 1 | PPO Epoch: 1 | Actor Loss: 0.5 | Critic Loss: 0.75 | Unsupervised Loss: 0.0\n";

inline constexpr std::string_view perplexity =
    "***** Running training *****\n"
    "ppl: 4998.25\n"
    "[2026-01-07 01:55:23,711] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[4.5e-05], "
    "mom=[(0.9, 0.95)]\n"
    "ppl: 2.5, loss: 0.9375\n";

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
          {"two engines of DeepSpeed-Chat",
           chat,
           {{"policy_loss", -1, 1, "0.25"},
            {"critic_loss", -1, 1, "0.125"},
            {"reward", -1, 1, "-0.5"},
            {"iteration_time", -1, 1, "7.5"},
            {"skipped_iterations", -1, 2, "1"},
            {"learning_rate", -1, 2, "5.5e-07"},
            {"samples_per_second", -1, 2, "78.5"},
            {"memory_allocated", -1, 1, "10.5GB"},
            {"memory_max_allocated", -1, 1, "20.5GB"},
            {"critic_skipped_iterations", -1, 2, "0"},
            {"critic_learning_rate", -1, 2, "3.5e-07"},
            {"policy_loss", -1, 2, "nan"},
            {"critic_loss", -1, 2, "0.5"},
            {"reward", -1, 2, "0.75"},
            {"policy_loss", -1, 3, "0.375"},
            {"critic_loss", -1, 3, "0.0625"}}},
          {"newer lines of DeepSpeed-Chat",
           newer_chat,
           {{"policy_loss", -1, 1, "0.25"},
            {"critic_loss", -1, 1, "nan"},
            {"iteration_time", -1, 1, "3.5"},
            {"reward", -1, 1, "1.5"},
            {"policy_loss", -1, 2, "0.5"},
            {"critic_loss", -1, 2, "0.75"}}},
          {"perplexities of DeepSpeed-Chat",
           perplexity,
           {{"validation_perplexity", -1, 1, "4998.25"},
            {"skipped_iterations", -1, 10, "0"},
            {"learning_rate", -1, 10, "4.5e-05"},
            {"validation_perplexity", -1, 2, "2.5"},
            {"validation_loss", -1, 10, "0.9375"}}},
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
