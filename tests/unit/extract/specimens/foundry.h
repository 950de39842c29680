// Specimens of format `foundry`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::foundry_log {

inline constexpr std::string_view two_steps =
    "12:00:01 foundry step 1/2: loss=2.5 gnorm=nan tok/s=1,250 ms=812.5;\n"
    "12:00:01 foundry rank 0 step 1: peak=9.5GiB;\n"
    "12:00:01 foundry rank 1 step 1: peak=9.25GiB;\n"
    "12:00:02 foundry step 2/2: gnorm=0.75 tok/s=1,300 ms=801.0;\n"  // its loss is left out
    "12:00:02 foundry eval step 2: loss=2.25;\n";

inline std::vector<Specimen> specimens() {
  return {{"two steps of two ranks, one without its loss",
           two_steps,
           {{"lm_loss", -1, 1, "2.5"},  // metric, rank (-1: none), number, word
            {"grad_norm", -1, 1, "nan"},
            {"tokens_per_second", -1, 1, "1,250"},
            {"iteration_time", -1, 1, "812.5"},
            {"memory_max_reserved", 0, 1, "9.5GiB"},
            {"memory_max_reserved", 1, 1, "9.25GiB"},
            {"lm_loss", -1, 2, ""},
            {"grad_norm", -1, 2, "0.75"},
            {"tokens_per_second", -1, 2, "1,300"},
            {"iteration_time", -1, 2, "801.0"},
            {"validation_loss", -1, 2, "2.25"}}}};
}

}  // namespace gate::extract::foundry_log
