// Specimens of format `jsonl`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::jsonl_log {

inline constexpr std::string_view lines =
    "2026-01-07 10:00:00 INFO {\"step\": 1, \"total_steps\": 4, \"loss\": 2.5, \"lr\": 1e-05, "
    "\"step_time_ms\": 512.5, \"tokens_per_second\": 7000, \"peak_memory_gb\": 1.5, \"val_loss\": null}\n"
    "{\"global_step\": \"2/4\", \"train\": {\"loss\": \"2.25\"}, \"lr\": 1e-05, \"val_loss\": 2.75}\n"
    "{\"step\": 3, \"loss\": NaN, \"lr\": Infinity, \"reward\": 0.5}\n"
    "{\"step\": 3, \"event\": \"checkpoint\"}\n"
    "{\"enabled\": true, \"loss_scale\": 0}\n"
    "{\"step\": 4, \"loss\": null, \"lr\": 1e-05}\n"
    "{\"loss\": 2.5, \"st";

inline std::vector<Specimen> specimens() {
  return {{"steps and what belongs to them",
           lines,
           {{"lm_loss", -1, 1, "2.5"},
            {"learning_rate", -1, 1, "1e-05"},
            {"iteration_time", -1, 1, "512.5"},
            {"tokens_per_second", -1, 1, "7000"},
            {"memory_max_allocated", -1, 1, "1.5"},
            {"lm_loss", -1, 2, "\"2.25\""},
            {"learning_rate", -1, 2, "1e-05"},
            {"validation_loss", -1, 2, "2.75"},
            {"lm_loss", -1, 3, "NaN"},
            {"learning_rate", -1, 3, "Infinity"},
            {"reward", -1, 3, "0.5"},
            {"lm_loss", -1, 4, ""},
            {"learning_rate", -1, 4, "1e-05"}}}};
}

}  // namespace gate::extract::jsonl_log
