// Specimens of format `modded-nanogpt`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::modded_nanogpt_log {

inline constexpr std::string_view with_losses =
    "step:0/1875 val_loss:10.8258 train_time:278ms step_avg:nanms\n"
    "step:1/1875 train_loss:10.8312 train_time:81991ms step_avg:nanms\n"
    "step:2/1875 train_loss:nan lr:0.0036 train_time:415ms step_avg:207.50ms\n";

inline constexpr std::string_view later =
    "step:0/1390 val_loss:10.4072 train_time:237ms step_avg:237.26ms\n"
    "step:1/1390 train_time:429ms step_avg:428.53ms\n"
    "step:2/1390 train_time:470ms step_avg:235.22ms\n"
    "step:2/1390 val_loss:4.4917 val_bpb:1.9015 train_time:7557ms step_avg:30.23ms\n"
    "peak memory allocated: 29857 MiB reserved: 31036 MiB\n";

inline std::vector<Specimen> specimens() {
  return {{"2024, with the loss of each step",
           with_losses,
           {{"lm_loss", -1, 1, "10.8312"},
            {"lm_loss", -1, 2, "nan"},
            {"learning_rate", -1, 2, "0.0036"},
            {"validation_loss", -1, 0, "10.8258"}}},
          {"since 2025, without it",
           later,
           {{"validation_loss", -1, 0, "10.4072"},
            {"validation_loss", -1, 2, "4.4917"},
            {"memory_max_allocated", -1, 1, "29857"},
            {"memory_max_reserved", -1, 1, "31036"}}}};
}

}  // namespace gate::extract::modded_nanogpt_log
