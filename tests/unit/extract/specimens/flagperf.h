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

// What newer cases tell at their end, and one that did not reach its target.
inline constexpr std::string_view newer =
    "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 0.5, \"global_steps\": 7, \"seq/s\": 80.0}, "
    "\"metadata\": {\"rank\": 0}}\n"
    "[PerfLog] {\"event\": \"FINISHED\", \"value\": {\"e2e_time\": 90.5, \"global_steps\": 7, "
    "\"num_trained_samples\": 448, \"training_sequences_per_second\": 79.5, \"converged\": false, "
    "\"final_accuracy\": 0.61, \"raw_train_time\": 56.25, \"init_time\": 30.5, "
    "\"train_no_eval_time\": 50.0, \"pure_training_computing_time\": 44.5, \"throughput(ips)_raw\": 7.96, "
    "\"throughput(ips)_no_eval\": 8.96, \"throughput(ips)_pure_compute\": 10.07}, \"metadata\": "
    "{\"rank\": 0}}\n";

// The benchmarks' own names of what they reached.
inline constexpr std::string_view own_names =
    "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 0.5, \"global_steps\": 7}, \"metadata\": "
    "{\"rank\": 0}}\n"
    "[PerfLog] {\"event\": \"FINISHED\", \"value\": {\"e2e_time\": 90.5, \"converged\": true, "
    "\"final_acc\": 27.5, \"final_map_bbox\": 0.39, \"final_map_segm\": 0.35, \"final_auc\": 0.81, "
    "\"final_nuv\": 88.5, \"rouge1\": 41.5, \"final_ppl_accuracy\": 54.25, \"val_loss\": 0.48}, "
    "\"metadata\": {\"rank\": 0}}\n";

inline constexpr std::string_view short_names =
    "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 0.5, \"global_steps\": 7}, \"metadata\": "
    "{\"rank\": 0}}\n"
    "[PerfLog] {\"event\": \"FINISHED\", \"value\": {\"e2e_time\": 90.5, \"acc\": 0.92, \"final_ppl\": 9.5}, "
    "\"metadata\": {\"rank\": 0}}\n";

// What the end says without the time of the whole run; other events are no end, whatever they hold.
inline constexpr std::string_view without_time =
    "[PerfLog] {\"event\": \"STEP_END\", \"value\": {\"loss\": 0.5, \"global_steps\": 7}, \"metadata\": "
    "{\"rank\": 0}}\n"
    "[PerfLog] {\"event\": \"INIT_EVALUATION\", \"value\": {\"e2e_time\": 1.5, \"acc\": 0.1}, \"metadata\": "
    "{\"rank\": 0}}\n"
    "[PerfLog] {\"event\": \"FINISHED\", \"value\": {\"converged\": true, \"acc\": 0.92, \"train_time\": "
    "56.25, "
    "\"training_items_per_second\": 79.5}, \"metadata\": {\"rank\": 0}}\n";

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
            {"training_samples_per_second", -1, 1, "579.0"}}},
          {"what newer cases tell at their end",
           newer,
           {{"lm_loss", -1, 7, "0.5"},
            {"samples_per_second", -1, 7, "80.0"},
            {"converged", -1, 1, "false"},
            {"final_accuracy", -1, 1, "0.61"},
            {"e2e_time", -1, 1, "90.5"},
            {"raw_train_time", -1, 1, "56.25"},
            {"init_time", -1, 1, "30.5"},
            {"train_no_eval_time", -1, 1, "50.0"},
            {"pure_training_computing_time", -1, 1, "44.5"},
            {"throughput_raw", -1, 1, "7.96"},
            {"throughput_no_eval", -1, 1, "8.96"},
            {"throughput_pure_compute", -1, 1, "10.07"},
            {"trained_samples", -1, 1, "448"},
            {"trained_steps", -1, 1, "7"},
            {"training_samples_per_second", -1, 1, "79.5"}}},
          {"the benchmarks' own names of what they reached",
           own_names,
           {{"lm_loss", -1, 7, "0.5"},
            {"converged", -1, 1, "true"},
            {"final_loss", -1, 1, "0.48"},
            {"final_accuracy", -1, 1, "27.5"},
            {"final_perplexity", -1, 1, "54.25"},
            {"final_map_bbox", -1, 1, "0.39"},
            {"final_map_segm", -1, 1, "0.35"},
            {"final_auc", -1, 1, "0.81"},
            {"final_nuv", -1, 1, "88.5"},
            {"final_rouge1", -1, 1, "41.5"},
            {"e2e_time", -1, 1, "90.5"}}},
          {"an accuracy called acc",
           short_names,
           {{"lm_loss", -1, 7, "0.5"},
            {"final_accuracy", -1, 1, "0.92"},
            {"final_perplexity", -1, 1, "9.5"},
            {"e2e_time", -1, 1, "90.5"}}},
          {"an end without the time of the whole run",
           without_time,
           {{"lm_loss", -1, 7, "0.5"},
            {"converged", -1, 1, "true"},
            {"final_accuracy", -1, 1, "0.92"},
            {"raw_train_time", -1, 1, "56.25"},
            {"training_samples_per_second", -1, 1, "79.5"}}}};
}

}  // namespace gate::extract::flagperf_log
