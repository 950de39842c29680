// Specimens of format `ms-swift`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::ms_swift_log {

inline constexpr std::string_view quoted =
    "{'train_dataset': 'size=16', 'loss_scale': 'default'}\n"
    "\rTrain:   3%|3         | 1/30 [00:07<03:43,  7.71s/it]\r                         \r"
    "{'loss': '1.922', 'grad_norm': '33.25', 'learning_rate': '3.33e-06', 'token_acc': '0.6417', 'epoch': "
    "'0.0002125', 'global_step/max_steps': '1/30', 'elapsed_time': '8s', 'remaining_time': '3m 44s', "
    "'tokens_per_gpu_per_sec': '59.6', 'tokens_global_per_sec': '476.7', 'tokens_this_step': 919, "
    "'memory(GiB)': '64.5', 'train_speed(s/it)': '7.711'}\n"
    "{'eval_loss': '1.5', 'eval_runtime': '2.5', 'epoch': '0.0002125', 'global_step/max_steps': '1/30'}\n"
    "{'loss': nan, 'grad_norm': 'nan', 'global_step/max_steps': '2/30', 'memory(GiB)': '65', "
    "'train_speed(s/it)': '7.5'}\n"
    "{'train_runtime': '306.5', 'train_loss': '1.2', 'token_acc': '0.7', 'epoch': '1', "
    "'global_step/max_steps': '2/30', 'memory(GiB)': '65', 'train_speed(s/it)': '7.6'}\n"
    "{'loss': '1.5', 'memory(GiB)': '65', 'global_step/max_st";

inline constexpr std::string_view older =
    "{\"loss\": 1.4749825, \"acc\": 0.66827957, \"epoch\": 0.01, \"steps[global_step/max_steps]\": \"5/94\", "
    "\"memory(GiB)\": 16.75, \"train_speed(iter/s)\": 0.125}\n"
    "{\"loss\": 0.9, \"iteration\": \"10/94\", \"memory(GiB)\": 16.75, \"train_speed(s/it)\": 8.5}\n";

inline constexpr std::string_view counted =
    "***** Running training *****\n"
    "{'loss': 0.0034, 'grad_norm': 0.0256, 'learning_rate': 3.57e-06, 'memory(GiB)': 104.25, "
    "'train_speed(iter/s)': 0.002, 'completions/mean_length': 1988.125, 'reward': 1.03, 'kl': 0.5, "
    "'epoch': 0.1}\n";

inline constexpr std::string_view nulls =
    "{\"loss\": 1.5, \"grad_norm\": 0.5, \"global_step/max_steps\": \"1/3\", \"memory(GiB)\": 16.75}\n"
    "{\"loss\": 1.25, \"grad_norm\": null, \"global_step/max_steps\": \"2/3\", \"memory(GiB)\": 16.75}\n"
    "{\"loss\": null, \"grad_norm\": null, \"global_step/max_steps\": \"3/3\", \"memory(GiB)\": 16.75}\n";

inline std::vector<Specimen> specimens() {
  return {{"quoted numbers, an evaluation, the end of a run, a cut line",
           quoted,
           {{"lm_loss", -1, 1, "'1.922'"},
            {"grad_norm", -1, 1, "'33.25'"},
            {"learning_rate", -1, 1, "'3.33e-06'"},
            {"token_accuracy", -1, 1, "'0.6417'"},
            {"memory_max_reserved", -1, 1, "'64.5'"},
            {"validation_loss", -1, 1, "'1.5'"},
            {"lm_loss", -1, 2, "nan"},
            {"grad_norm", -1, 2, "'nan'"},
            {"learning_rate", -1, 2, ""},
            {"token_accuracy", -1, 2, ""},
            {"memory_max_reserved", -1, 2, "'65'"}}},
          {"JSON lines of older versions and of Megatron-SWIFT",
           older,
           {{"lm_loss", -1, 5, "1.4749825"},
            {"token_accuracy", -1, 5, "0.66827957"},
            {"memory_max_reserved", -1, 1, "16.75"},
            {"lm_loss", -1, 10, "0.9"},
            {"token_accuracy", -1, 10, ""},
            {"memory_max_reserved", -1, 2, "16.75"}}},
          {"nulls of logging.jsonl",
           nulls,
           {{"lm_loss", -1, 1, "1.5"},
            {"grad_norm", -1, 1, "0.5"},
            {"memory_max_reserved", -1, 1, "16.75"},
            {"lm_loss", -1, 2, "1.25"},
            {"memory_max_reserved", -1, 2, "16.75"}}},
          {"without a step",
           counted,
           {{"lm_loss", -1, 1, "0.0034"},
            {"grad_norm", -1, 1, "0.0256"},
            {"learning_rate", -1, 1, "3.57e-06"},
            {"reward", -1, 1, "1.03"},
            {"kl", -1, 1, "0.5"},
            {"memory_max_reserved", -1, 1, "104.25"}}}};
}

}  // namespace gate::extract::ms_swift_log
