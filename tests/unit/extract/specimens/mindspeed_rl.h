// Specimens of format `mindspeed-rl`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::mindspeed_rl_log {

inline constexpr std::string_view grpo =
    "[2025-05-06 07:08:09] INFO start training\n"
    "[2025-05-06 07:09:11] iteration: 1 / 10 | timing/all : 61.5000 | timing/update : 20.2500 | "
    "actor/pg_loss : -0.0125 | actor/kl_loss : 0.0003 | actor/ppo_kl : 0.0000 | grad_norm : 0.1250 | "
    "grpo/score/mean : 0.3000 | grpo/rewards/mean : 0.2500 | grpo/rewards/max : 1.0000 | "
    "response_length/mean : 512.0000 | actor/lr : 1.0000e-06 | e2e_tps : 220.5000 | update_tps : 660.0000 \n"
    "\x1b[36m(RayGRPOTrainer pid=4242)\x1b[0m [2025-05-06 07:10:11] iteration: 2 / 10 | timing/all : 60.0000 "
    "| "
    "actor/pg_loss : nan | actor/kl_loss : 0.0004 | grad_norm : nan | grpo/rewards/mean : 0.2750 | "
    "actor/lr : 1.0000e-06 | e2e_tps : 221.50";

inline std::vector<Specimen> specimens() {
  return {{"two iterations, the second cut off",
           grpo,
           {{"iteration_time", -1, 1, "61.5000"},
            {"policy_loss", -1, 1, "-0.0125"},
            {"kl", -1, 1, "0.0003"},
            {"grad_norm", -1, 1, "0.1250"},
            {"reward", -1, 1, "0.2500"},
            {"learning_rate", -1, 1, "1.0000e-06"},
            {"tokens_per_second", -1, 1, "220.5000"},
            {"iteration_time", -1, 2, "60.0000"},
            {"policy_loss", -1, 2, "nan"},
            {"kl", -1, 2, "0.0004"},
            {"grad_norm", -1, 2, "nan"},
            {"reward", -1, 2, "0.2750"},
            {"learning_rate", -1, 2, "1.0000e-06"}}}};
}

}  // namespace gate::extract::mindspeed_rl_log
