// Specimens of format `nanogpt`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::nanogpt_log {

inline constexpr std::string_view plain =
    "step 0: train loss 10.9889, val loss 10.9901\n"
    "iter 0: loss 10.9887, time 40123.21ms, mfu -100.00%\n"
    "iter 1: loss nan, time 512.34ms, mfu 41.20%\n"
    "iter 2: loss 9.5021, time 512.11ms\n";

inline std::vector<Specimen> specimens() {
  return {{"iterations and an evaluation",
           plain,
           {{"lm_loss", -1, 0, "10.9887"},
            {"lm_loss", -1, 1, "nan"},
            {"lm_loss", -1, 2, "9.5021"},
            {"iteration_time", -1, 0, "40123.21ms"},
            {"iteration_time", -1, 1, "512.34ms"},
            {"iteration_time", -1, 2, "512.11ms"},
            {"mfu", -1, 0, "-100.00%"},
            {"mfu", -1, 1, "41.20%"},
            {"validation_loss", -1, 0, "10.9901"}}}};
}

}  // namespace gate::extract::nanogpt_log
