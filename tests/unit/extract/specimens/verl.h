// Specimens of format `verl`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::verl_log {

inline constexpr std::string_view lines =
    "\x1b[36m(TaskRunner pid=12647)\x1b[0m step:0 - val-core/openai/gsm8k/reward/mean@1:0.25\n"
    "\x1b[36m(TaskRunner pid=12647)\x1b[0m step:1 - training/epoch:0 - training/global_step:1 - "
    "actor/entropy:0.438 - actor/pg_loss:np.float64(-0.02) - actor/ppo_kl:-0.001 - actor/grad_norm:0.25 - "
    "actor/lr:1e-06 - critic/rewards/mean:0.5 - critic/score/mean:0.625 - perf/mfu/actor:0.37 - "
    "perf/max_memory_allocated_gb:80.5 - perf/max_memory_reserved_gb:94.5 - timing_s/step:93.5 - "
    "perf/time_per_step:93.5 - perf/throughput:2932.5\n"
    "(TaskRunner pid=12647) step:2 - training/global_step:2 - actor/entropy:0.4 - actor/pg_loss:nan - "
    "actor/ppo_kl:0.0 - actor/grad_norm:inf - actor/lr:1e-06 - critic/score/mean:0.5 - perf/mfu/actor:0.37 - "
    "perf/max_memory_allocated_gb:80.5 - perf/max_memory_reserved_gb:94.5 - timing_s/step:90 - "
    "perf/throughput:2900\n";

inline constexpr std::string_view finetuning =
    "Epoch 1/1:  50%|#####     | 1/2 [00:07<00:07,  7.1s/it]step:1 - train/loss:0.30185 - "
    "train/lr(1e-3):0.01 "
    "- train/time(s):7.5\n"
    "step:1 - val/loss:0.5\n";

inline constexpr std::string_view laid_out =
    "(TaskRunner pid=15930, ip=10.4.1.33) step:1\n"
    " - actor/pg_loss:0.054\n"
    " - training/global_step:1\n"
    " - critic/score/mean:0.576\n"
    "(TaskRunner pid=15930, ip=10.4.1.33) step:2\n"
    "(TaskRunner pid=15930, ip=10.4.1.33)  - actor/pg_loss:0.051\n"
    "(TaskRunner pid=15930, ip=10.4.1.33) step:12";

inline std::vector<Specimen> specimens() {
  return {{"two steps behind a validation",
           lines,
           {{"policy_loss", -1, 1, "np.float64(-0.02)"},
            {"reward", -1, 1, "0.625"},
            {"kl", -1, 1, "-0.001"},
            {"entropy", -1, 1, "0.438"},
            {"grad_norm", -1, 1, "0.25"},
            {"learning_rate", -1, 1, "1e-06"},
            {"tokens_per_second", -1, 1, "2932.5"},
            {"iteration_time", -1, 1, "93.5"},
            {"mfu", -1, 1, "0.37"},
            {"memory_max_allocated", -1, 1, "80.5"},
            {"memory_max_reserved", -1, 1, "94.5"},
            {"policy_loss", -1, 2, "nan"},
            {"reward", -1, 2, "0.5"},
            {"kl", -1, 2, "0.0"},
            {"entropy", -1, 2, "0.4"},
            {"grad_norm", -1, 2, "inf"},
            {"learning_rate", -1, 2, "1e-06"},
            {"tokens_per_second", -1, 2, "2900"},
            {"iteration_time", -1, 2, "90"},
            {"mfu", -1, 2, "0.37"},
            {"memory_max_allocated", -1, 2, "80.5"},
            {"memory_max_reserved", -1, 2, "94.5"}}},
          {"the SFT trainer",
           finetuning,
           {{"lm_loss", -1, 1, "0.30185"},
            {"learning_rate", -1, 1, "0.01"},
            {"iteration_time", -1, 1, "7.5"},
            {"validation_loss", -1, 1, "0.5"}}},
          {"a value a line, cut off",
           laid_out,
           {{"policy_loss", -1, 1, "0.054"}, {"reward", -1, 1, "0.576"}, {"policy_loss", -1, 2, "0.051"}}}};
}

}  // namespace gate::extract::verl_log
