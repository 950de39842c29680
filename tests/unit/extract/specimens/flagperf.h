// Specimens of format `flagperf`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::flagperf_log {

inline constexpr std::string_view plain =
    "[PerfLog] {\"event\": \"INIT_END\", \"metadata\": {\"file\": \"/w/run.py\", \"lineno\": 9, \"rank\": "
    "0}}\n"
    "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 2.67, \"embedding_average\": 0.91, \"epoch\": "
    "1, "
    "\"end_training\": false, \"global_steps\": 3396, \"learning_rate\": 0.000175, \"seq/s\": 822.4}, "
    "\"metadata\": {\"file\": \"/w/run.py\", \"lineno\": 127, \"rank\": 0}}\n"
    "[PerfLog] {\"event\": \"EVALUATE\", \"value\": {\"global_steps\": 3396, \"eval_loss\": 3.06}, "
    "\"metadata\": {\"rank\": 0}}\n"
    "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": NaN, \"epoch\": 1, \"end_training\": true, "
    "\"global_steps\": 3397, \"learning_rate\": 0.000174, \"seq/s\": 821.0}, \"metadata\": {\"rank\": 0}}\n"
    "[PerfLog] {\"event\": \"FINISHED\", \"value\": {\"e2e_time\": 1661.6, "
    "\"training_sequences_per_second\": 579.0, \"converged\": true, \"final_loss\": 3.06, "
    "\"final_mlm_accuracy\": 0.92, \"raw_train_time\": 1501.7, \"init_time\": 148.9}, \"metadata\": "
    "{\"rank\": "
    "0}}\n";

inline std::vector<Specimen> specimens() {
  return {{"two steps, an evaluation and the end",
           plain,
           {{"lm_loss", -1, 3396, "2.67"},
            {"lm_loss", -1, 3397, "NaN"},
            {"learning_rate", -1, 3396, "0.000175"},
            {"learning_rate", -1, 3397, "0.000174"},
            {"samples_per_second", -1, 3396, "822.4"},
            {"samples_per_second", -1, 3397, "821.0"},
            {"validation_loss", -1, 3396, "3.06"},
            {"converged", -1, 1, "true"},
            {"final_loss", -1, 1, "3.06"},
            {"final_accuracy", -1, 1, "0.92"},
            {"e2e_time", -1, 1, "1661.6"},
            {"raw_train_time", -1, 1, "1501.7"},
            {"init_time", -1, 1, "148.9"},
            {"training_samples_per_second", -1, 1, "579.0"}}}};
}

}  // namespace gate::extract::flagperf_log
