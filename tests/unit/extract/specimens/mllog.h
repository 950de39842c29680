// Specimens of format `mllog`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::mllog_log {

#define GATE_MLLOG(key, value, metadata)                                                              \
  ":::MLLOG {\"namespace\": \"\", \"time_ms\": 1, \"event_type\": \"POINT_IN_TIME\", \"key\": \"" key \
  "\", \"value\": " value ", \"metadata\": {\"file\": \"/w/a.py\", \"lineno\": 12, " metadata "}}\n"

inline constexpr std::string_view samples = "0: " GATE_MLLOG("global_batch_size", "8", "\"x\": 1")  //
    "0: " GATE_MLLOG("train_loss", "4.5", "\"samples_count\": 8, \"lr\": 0.0004")                   //
    "0: " GATE_MLLOG("train_loss", "NaN", "\"samples_count\": 16, \"lr\": 0.0003")                  //
    "0: " GATE_MLLOG("tracked_stats", "{\"throughput\": 2.5}", "\"samples_count\": 16")             //
    "0: " GATE_MLLOG("eval_accuracy", "0.94", "\"samples_count\": 16, \"epoch_num\": 0.0041")       //
    "0: " GATE_MLLOG("eval_error", "3.5", "\"samples_count\": 16")                                  //
    "0: " GATE_MLLOG("run_stop", "null", "\"samples_count\": 16, \"status\": \"success\"");

inline constexpr std::string_view epochs = GATE_MLLOG("train_loss", "4.5", "\"epoch_num\": 1")  //
    GATE_MLLOG("throughput", "1021.5", "\"epoch_num\": 1")                                      //
    GATE_MLLOG("eval_error", "3.5", "\"step_num\": 1")                                          //
    GATE_MLLOG("eval_accuracy", "0.71", "\"epoch_num\": 1")                                     //
    GATE_MLLOG("run_stop", "null", "\"status\": \"aborted\"");

#undef GATE_MLLOG

inline std::vector<Specimen> specimens() {
  return {{"by samples",
           samples,
           {{"lm_loss", -1, 8, "4.5"},
            {"lm_loss", -1, 16, "NaN"},
            {"learning_rate", -1, 8, "0.0004"},
            {"learning_rate", -1, 16, "0.0003"},
            {"samples_per_second", -1, 16, "2.5"},
            {"eval_accuracy", -1, 16, "0.94"},
            {"validation_loss", -1, 16, "3.5"},
            {"converged", -1, 1, "\"success\""}}},
          {"by epochs",
           epochs,
           {{"lm_loss", -1, 1, "4.5"},
            {"samples_per_second", -1, 1, "1021.5"},
            {"validation_loss", -1, 1, "3.5"},
            {"eval_accuracy", -1, 1, "0.71"},
            {"converged", -1, 1, "\"aborted\""}}}};
}

}  // namespace gate::extract::mllog_log
