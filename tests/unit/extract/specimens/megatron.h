// Specimens of format `megatron`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::megatron_log {

inline constexpr std::string_view timestamped =
    " [2025-03-01 10:00:01] iteration        1/       2 | consumed samples:            8 | elapsed time per "
    "iteration (ms): 812.5 | throughput per GPU (TFLOP/s/GPU): 80.2 | learning rate: 1.000000E-04 | global "
    "batch size:     8 | lm loss: 1.043863E+01 | loss scale: 1.0 | grad norm: 26.203 | number of skipped "
    "iterations:   0 | number of nan iterations:   0 |\n"
    "[Rank 2] (after 1 iterations) memory (MB) | allocated: 9334.3779296875 | max allocated: "
    "12680.6357421875 | "
    "reserved: 13236.0 | max reserved: 13236.0[Rank 6] (after 1 iterations) memory (MB) | allocated: "
    "10850.67578125 | max allocated: 12681.5 | reserved: 13240.0 | max reserved: 13240.0\n"
    "\n";

inline constexpr std::string_view plain =
    " iteration      100/    5000 | consumed samples:         1600 | elapsed time per iteration (ms): 858.6 "
    "| "
    "learning rate: 3.984E-06 | global batch size:    16 | lm loss: 9.674668E+00 | loss scale: 262144.0 | "
    "grad "
    "norm: 3.750 | num zeros: 12.0 | params norm: 496.206 | number of skipped iterations:  15 | number of "
    "nan "
    "iterations:   0 |\n"
    " validation loss at iteration 100 | lm loss value: 6.329505E+00 | lm loss PPL: 5.608791E+02 |\n"
    " validation loss at iteration 100 on validation set | lm loss value: 6.1E+00 | lm loss PPL: 4.4E+02 | \n"
    " validation loss at iteration 100 on 160-sample draw from test set | lm loss value: 6.2E+00 | lm loss "
    "PPL: "
    "4.9E+02 | \n";

inline constexpr std::string_view left_out =
    " iteration       10/     200 | elapsed time per iteration (ms): 995.3 | loss scale: 8388608.0 | number "
    "of "
    "skipped iterations:  10 | number of nan iterations:   0 |\n"
    " iteration       20/     200 | elapsed time per iteration (ms): 457.6 | lm loss: 1.105231E+01 | loss "
    "scale: "
    "262144.0 | grad norm: nan | number of skipped iterations:   0 | number of nan iterations:   0 |\n";

inline constexpr std::string_view torn =
    "0: [default0]:[Rank 0] (after 1 iterations) memory (MB) | allocated: 14235.44 | max allocated: 14235.46 "
    "| "
    "reserv\n"
    "0: ed: 14504.00 | max reserved: 14504.00\n"
    "0: [default0]: [2025-03-26 14:43:37.001748] iteration        1/       2 | throughput per GPU "
    "(TFLOP/s/GPU): "
    "269.9 | lm loss: 1.25E\n"
    "0: +00 | number of nan iterations:   0 |\n"
    "0: [default0]: [2025-03-26 14:43:39.001748] iteration        2/       2 | throughput per GPU "
    "(TFLOP/s/GPU): "
    "270.1 | lm loss: 1.25E\n";

inline constexpr std::string_view deepspeed =
    "192.168.0.2:  iteration        1/      20 | consumed samples:           16 | consumed tokens:        "
    "32768 | "
    "elapsed time per iteration (ms): 1277.1 | learning rate: 5.263E-07 | global batch size:    16 | lm "
    "loss: "
    "1.263599E+01 | loss scale: 1.0 | grad norm: 20.203 | num zeros: 0.0 | actual seqlen:  2048 | number of "
    "skipped iterations:   0 | number of nan iterations:   0 | samples per second: 12.500 | tokens per gpu "
    "per "
    "second (tgs): 1603.000 | TFLOPs: 95.00 |\n"
    "localhost: [Rank 0] (after 1 iterations) memory (MB) | allocated: 0.0 | max allocated: 0.0 | reserved: "
    "0.0 | "
    "max reserved: 0.0\n";

inline constexpr std::string_view equals =
    "[2025-06-21 10:50:42][INFO][training:1609] -  iteration=       1/  317892 | consumed_samples=         "
    "768 "
    "| consumed_tokens=     3145728 | elapsed_time_per_iteration_ms=108893.2 | learning_rate=1.88743e-08 | "
    "global_batch_size=  768 | lm loss=11.133188 | loss_scale=1.0 | actual_seqlen= 4096 | "
    "number_of_skipped_iterations=  0 | number_of_nan_iterations=  0 | samples_per_second=7.053 | "
    "tokens_per_gpu_per_second_tgs=1203.674 | [LM]-TFLOPs=49.66 | [DS]-TFLOPs=73.32 |\n"
    "[2025-06-21 10:50:42][INFO][utils:190] - [Rank 0] (after 1 iterations) memory (MB) | allocated: 18243.5 "
    "| max allocated: 50664.25 | reserved: 54556.0 | max reserved: 54556.0\n";

inline constexpr std::string_view extras =
    " iteration        1/   23841 | consumed samples:         1024 | elapsed time per iteration (ms): "
    "438288.1 "
    "| mfu: 59.8109 | chip_throughput: 1196.22 /s  learning rate: 1.875E-09 | decoupled learning rate: "
    "1.0E-05 "
    "| global batch size:  1024 | lm loss: 1.120865E+01 | load_balancing_loss: 1.008666E+00 | mtp_1 loss: "
    "1.13E+01 | mtp_2 loss: 1.14E+01 | indexer loss: 2.5E-01 | loss scale: 65536.0 | "
    "max_total_norm_before_clip: 0.012 | grad norm: 7.549 | grad_norm_after_clip: 1.000 | number of skipped "
    "iterations:   0 | number of nan iterations:   0 | energy per GPU (J/iter/GPU): 1992.5 | power per GPU "
    "(W/GPU): 647.8 | [WARNING] the loss has risen\n";

inline constexpr std::string_view taking_turns =
    " iteration        1/     100 | elapsed time per iteration (s): 0.4125 | discriminator loss: 6.9E-01 |\n";

// Megatron-Bridge's memory, in 10^9 bytes.
inline constexpr std::string_view gigabytes =
    " iteration        1/       1 | consumed samples:            8 | elapsed time per iteration (ms): 500.5 "
    "| lm loss: "
    "1.250000E+00 | number of nan iterations:   0 |\n"
    "[Rank 1] (after 1 iterations) memory (GB) | mem-allocated-gigabytes: 63.5 | mem-active-gigabytes: 64.5 "
    "| "
    "mem-reserved-gigabytes: 182.25 | mem-max-allocated-gigabytes: 153.5 | mem-max-reserved-gigabytes: 183.5 "
    "| "
    "mem-alloc-retires: 0 | mem-allocated-count: 507\n";

inline std::vector<Specimen> specimens() {
  return {
      {"memory in gigabytes",
       gigabytes,
       {{"consumed_samples", -1, 1, "8"},
        {"iteration_time", -1, 1, "500.5"},
        {"lm_loss", -1, 1, "1.250000E+00"},
        {"nan_iterations", -1, 1, "0"},
        {"memory_allocated", 1, 1, "63.5"},
        {"memory_max_allocated", 1, 1, "153.5"},
        {"memory_reserved", 1, 1, "182.25"},
        {"memory_max_reserved", 1, 1, "183.5"}}},
      {"with timestamps, two reports merged on a line",
       timestamped,
       {{"consumed_samples", -1, 1, "8"},
        {"iteration_time", -1, 1, "812.5"},
        {"throughput", -1, 1, "80.2"},
        {"learning_rate", -1, 1, "1.000000E-04"},
        {"global_batch_size", -1, 1, "8"},
        {"lm_loss", -1, 1, "1.043863E+01"},
        {"loss_scale", -1, 1, "1.0"},
        {"grad_norm", -1, 1, "26.203"},
        {"skipped_iterations", -1, 1, "0"},
        {"nan_iterations", -1, 1, "0"},
        {"memory_allocated", 2, 1, "9334.3779296875"},
        {"memory_max_allocated", 2, 1, "12680.6357421875"},
        {"memory_reserved", 2, 1, "13236.0"},
        {"memory_max_reserved", 2, 1, "13236.0"},
        {"memory_allocated", 6, 1, "10850.67578125"},
        {"memory_max_allocated", 6, 1, "12681.5"},
        {"memory_reserved", 6, 1, "13240.0"},
        {"memory_max_reserved", 6, 1, "13240.0"}}},
      {"every 100 steps, with a validation line",
       plain,
       {{"consumed_samples", -1, 100, "1600"},
        {"iteration_time", -1, 100, "858.6"},
        {"learning_rate", -1, 100, "3.984E-06"},
        {"global_batch_size", -1, 100, "16"},
        {"lm_loss", -1, 100, "9.674668E+00"},
        {"loss_scale", -1, 100, "262144.0"},
        {"grad_norm", -1, 100, "3.750"},
        {"num_zeros", -1, 100, "12.0"},
        {"params_norm", -1, 100, "496.206"},
        {"skipped_iterations", -1, 100, "15"},
        {"nan_iterations", -1, 100, "0"},
        {"validation_loss", -1, 100, "6.329505E+00"},
        {"final_validation_loss", -1, 100, "6.1E+00"},
        {"test_loss", -1, 100, "6.2E+00"}}},
      {"values left out and not numbers",
       left_out,
       {{"iteration_time", -1, 10, "995.3"},
        {"loss_scale", -1, 10, "8388608.0"},
        {"lm_loss", -1, 10, ""},
        {"grad_norm", -1, 10, ""},
        {"skipped_iterations", -1, 10, "10"},
        {"nan_iterations", -1, 10, "0"},
        {"iteration_time", -1, 20, "457.6"},
        {"loss_scale", -1, 20, "262144.0"},
        {"lm_loss", -1, 20, "1.105231E+01"},
        {"grad_norm", -1, 20, "nan"},
        {"skipped_iterations", -1, 20, "0"},
        {"nan_iterations", -1, 20, "0"}}},
      {"torn by a launcher",
       torn,
       {{"memory_allocated", 0, 1, "14235.44"},
        {"memory_max_allocated", 0, 1, "14235.46"},
        {"memory_reserved", 0, 1, "14504.00"},
        {"memory_max_reserved", 0, 1, "14504.00"},
        {"throughput", -1, 1, "269.9"},
        {"lm_loss", -1, 1, "1.25E+00"},
        {"nan_iterations", -1, 1, "0"},
        {"throughput", -1, 2, "270.1"}}},
      {"Megatron-DeepSpeed on several hosts",
       deepspeed,
       {{"consumed_samples", -1, 1, "16"},
        {"consumed_tokens", -1, 1, "32768"},
        {"iteration_time", -1, 1, "1277.1"},
        {"learning_rate", -1, 1, "5.263E-07"},
        {"global_batch_size", -1, 1, "16"},
        {"lm_loss", -1, 1, "1.263599E+01"},
        {"loss_scale", -1, 1, "1.0"},
        {"grad_norm", -1, 1, "20.203"},
        {"num_zeros", -1, 1, "0.0"},
        {"skipped_iterations", -1, 1, "0"},
        {"nan_iterations", -1, 1, "0"},
        {"samples_per_second", -1, 1, "12.500"},
        {"tokens_per_second", -1, 1, "1603.000"},
        {"throughput", -1, 1, "95.00"},
        {"memory_allocated", 0, 1, "0.0"},
        {"memory_max_allocated", 0, 1, "0.0"},
        {"memory_reserved", 0, 1, "0.0"},
        {"memory_max_reserved", 0, 1, "0.0"}}},
      {"`name=word` behind a logger's prefix",
       equals,
       {{"consumed_samples", -1, 1, "768"},
        {"consumed_tokens", -1, 1, "3145728"},
        {"iteration_time", -1, 1, "108893.2"},
        {"learning_rate", -1, 1, "1.88743e-08"},
        {"global_batch_size", -1, 1, "768"},
        {"lm_loss", -1, 1, "11.133188"},
        {"loss_scale", -1, 1, "1.0"},
        {"skipped_iterations", -1, 1, "0"},
        {"nan_iterations", -1, 1, "0"},
        {"samples_per_second", -1, 1, "7.053"},
        {"tokens_per_second", -1, 1, "1203.674"},
        {"throughput", -1, 1, "49.66"},
        {"memory_allocated", 0, 1, "18243.5"},
        {"memory_max_allocated", 0, 1, "50664.25"},
        {"memory_reserved", 0, 1, "54556.0"},
        {"memory_max_reserved", 0, 1, "54556.0"}}},
      {"a bar that is missing, losses of parts, a warning behind the last bar",
       extras,
       {{"consumed_samples", -1, 1, "1024"},
        {"iteration_time", -1, 1, "438288.1"},
        {"mfu", -1, 1, "59.8109"},
        {"tokens_per_second", -1, 1, "1196.22"},
        {"learning_rate", -1, 1, "1.875E-09"},
        {"global_batch_size", -1, 1, "1024"},
        {"lm_loss", -1, 1, "1.120865E+01"},
        {"load_balancing_loss", -1, 1, "1.008666E+00"},
        {"mtp_1_loss", -1, 1, "1.13E+01"},
        {"mtp_2_loss", -1, 1, "1.14E+01"},
        {"indexer_loss", -1, 1, "2.5E-01"},
        {"loss_scale", -1, 1, "65536.0"},
        {"grad_norm", -1, 1, "7.549"},
        {"skipped_iterations", -1, 1, "0"},
        {"nan_iterations", -1, 1, "0"}}},
      {"a discriminator",
       taking_turns,
       {{"iteration_time", -1, 1, "0.4125"}, {"discriminator_loss", -1, 1, "6.9E-01"}}},
  };
}

}  // namespace gate::extract::megatron_log
