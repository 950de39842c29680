// Specimens of format `hf-trainer`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::hf_trainer_log {

inline constexpr std::string_view dictionaries =
    "***** Running training *****\n"
    "{'loss': 1.4749, 'grad_norm': 1.5961, 'learning_rate': 2e-05, 'epoch': 0.01}\n"
    "  7%|7         | 2/30 [00:07<03:43,  7.71s/it]\r                   \r"
    "{'loss': '0.9', 'grad_norm': nan, 'learning_rate': '1e-05', 'epoch': '0.02'}\n"
    "{'eval_loss': 1.2, 'eval_runtime': 3.5, 'epoch': 0.02}\n"
    "{'train_runtime': 30.5, 'train_loss': 1.2, 'epoch': 0.02}\n";

inline constexpr std::string_view lines =
    "{\"current_steps\": 10, \"total_steps\": 20, \"loss\": 2.219, \"lr\": 1.3e-06, \"epoch\": 0.0044, "
    "\"elapsed_time\": \"0:00:32\"}\n"
    "{\"current_steps\": 20, \"total_steps\": 20, \"loss\": NaN, \"lr\": 1.2e-06, \"epoch\": 0.0088}\n";

inline constexpr std::string_view rewarded =
    "{'loss': 0.0034, 'grad_norm': np.float64(0.25), 'learning_rate': 1e-06, 'num_tokens': 3100.0, "
    "'completions/mean_length': 198.5, 'rewards/accuracy_reward/mean': 0.5, 'reward': 0.75, 'kl': 0.01, "
    "'entropy': 0.4, 'step_time': 12.5, 'epoch': 0.1}\n";

inline constexpr std::string_view preferred =
    "{'loss': 0.6931, 'grad_norm': 4.5, 'learning_rate': 1e-06, 'rewards/chosen': 0.25, 'rewards/margins': "
    "0.125, 'mean_token_accuracy': 0.7, 'epoch': 0.2, 'num_input_tokens_seen': 4096, "
    "'train_tokens_per_second': 512.5}\n";

inline std::vector<Specimen> specimens() {
  return {{"dictionaries",
           dictionaries,
           {{"lm_loss", -1, 1, "1.4749"},
            {"grad_norm", -1, 1, "1.5961"},
            {"learning_rate", -1, 1, "2e-05"},
            {"lm_loss", -1, 2, "'0.9'"},
            {"grad_norm", -1, 2, "nan"},
            {"learning_rate", -1, 2, "'1e-05'"},
            {"validation_loss", -1, 2, "1.2"}}},
          {"JSON lines",
           lines,
           {{"lm_loss", -1, 10, "2.219"},
            {"learning_rate", -1, 10, "1.3e-06"},
            {"lm_loss", -1, 20, "NaN"},
            {"learning_rate", -1, 20, "1.2e-06"}}},
          {"reinforcement learning",
           rewarded,
           {{"lm_loss", -1, 1, "0.0034"},
            {"grad_norm", -1, 1, "np.float64(0.25)"},
            {"learning_rate", -1, 1, "1e-06"},
            {"reward", -1, 1, "0.75"},
            {"kl", -1, 1, "0.01"},
            {"entropy", -1, 1, "0.4"},
            {"iteration_time", -1, 1, "12.5"}}},
          {"preference learning",
           preferred,
           {{"lm_loss", -1, 1, "0.6931"},
            {"grad_norm", -1, 1, "4.5"},
            {"learning_rate", -1, 1, "1e-06"},
            {"reward_margin", -1, 1, "0.125"},
            {"token_accuracy", -1, 1, "0.7"},
            {"consumed_tokens", -1, 1, "4096"}}}};
}

}  // namespace gate::extract::hf_trainer_log
