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

inline constexpr std::string_view tracked = GATE_MLLOG("run_start", "null", "\"samples_count\": 0")  //
    GATE_MLLOG("tracked_stats", "{\"train_step_time\": 0.43, \"reduced_train_loss\": 7.9}",
               "\"step\": 32.0, \"samples_count\": 512.0")  //
    GATE_MLLOG("tracked_stats", "{\"train_loss\": 7.8, \"throughput\": 9.5}",
               "\"step\": 64.0, \"samples_count\": 1024.0")  //
    GATE_MLLOG("tracked_stats", "{\"validation_time\": 3.5, \"val_loss\": 7.5}", "\"samples_count\": 1024.0");

inline constexpr std::string_view repeated = GATE_MLLOG("eval_accuracy", "0.32", "\"epoch_num\": 1")  //
    GATE_MLLOG("eval_accuracy", "0.34", "\"epoch_num\": 1")                                           //
    GATE_MLLOG("eval_accuracy", "0.34", "\"epoch_num\": 1")  // the same line twice
    GATE_MLLOG("eval_accuracy", "0.36", "\"epoch_num\": 2")  //
    GATE_MLLOG("eval_accuracy", "0.38", "\"epoch_num\": 3");

inline constexpr std::string_view fractions = GATE_MLLOG("eval_accuracy", "0.72", "\"epoch_num\": 0.95")  //
    GATE_MLLOG("eval_accuracy", "0.74", "\"epoch_num\": 1.0")                                             //
    GATE_MLLOG("eval_accuracy", "0.75", "\"epoch_num\": 1.05");

#undef GATE_MLLOG

inline constexpr std::string_view other_order =
    ":::MLLOG {\"metadata\": {\"epoch_num\": 4, \"file\": \"f.py\", \"lineno\": 971}, \"value\": 0.05, "
    "\"key\": \"eval_accuracy\", \"namespace\": \"\", \"time_s\": 1.2, \"event_type\": \"POINT_IN_TIME\" }\n"
    ":::MLLOG {\"value\": {\"step\": 1, \"train_loss\": 2.5}, \"metadata\": {\"step\": 7}, "
    "\"key\":\"tracked_stats\"}\n"
    // A value that is called as another key is.
    ":::MLLOG {\"metadata\": {\"epoch_num\": 5}, \"value\": \"train_loss\", \"key\": \"eval_metric\"}\n";

inline std::vector<Specimen> specimens() {
  return {
      {"by samples",
       samples,
       {{"lm_loss", -1, 8, "4.5"},
        {"lm_loss", -1, 16, "NaN"},
        {"learning_rate", -1, 8, "0.0004"},
        {"learning_rate", -1, 16, "0.0003"},
        {"samples_per_second", -1, 16, "2.5"},
        {"eval_accuracy", -1, 16, "0.94"},
        {"validation_loss", -1, 16, "3.5"},
        {"converged", -1, 1, "\"success\""}}},
      {"tracked_stats",
       tracked,
       {{"lm_loss", -1, 512, "7.9"},
        {"lm_loss", -1, 1024, "7.8"},
        {"iteration_time", -1, 512, "0.43"},
        {"samples_per_second", -1, 1024, "9.5"},
        {"validation_loss", -1, 1024, "7.5"}}},
      {"epochs that repeat are counted",
       repeated,
       {{"eval_accuracy", -1, 1, "0.32"},
        {"eval_accuracy", -1, 2, "0.34"},
        {"eval_accuracy", -1, 3, "0.36"},
        {"eval_accuracy", -1, 4, "0.38"}}},
      {"fractions of epochs are counted",
       fractions,
       {{"eval_accuracy", -1, 1, "0.72"},
        {"eval_accuracy", -1, 2, "0.74"},
        {"eval_accuracy", -1, 3, "0.75"}}},
      {"metadata before the key", other_order, {{"eval_accuracy", -1, 4, "0.05"}, {"lm_loss", -1, 7, "2.5"}}},
      {"by epochs",
       epochs,
       {{"lm_loss", -1, 1, "4.5"},
        {"samples_per_second", -1, 1, "1021.5"},
        {"validation_loss", -1, 1, "3.5"},
        {"eval_accuracy", -1, 1, "0.71"},
        {"converged", -1, 1, "\"aborted\""}}}};
}

}  // namespace gate::extract::mllog_log
