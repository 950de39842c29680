// Specimens of format `llama-factory`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::llama_factory_log {

inline constexpr std::string_view lines =
    "{\"current_steps\": 10, \"total_steps\": 20, \"loss\": 2.219, \"lr\": 1.3e-06, \"epoch\": 0.0044, "
    "\"percentage\": 50.0, \"elapsed_time\": \"0:00:32\", \"throughput\": 3000.5, \"total_tokens\": 4096, "
    "\"vram_allocated\": 10.5, \"vram_reserved\": 12.25}\n"
    "{\"current_steps\": 10, \"total_steps\": 20, \"eval_loss\": 2.5, \"epoch\": 0.0044}\n"
    "{\"current_steps\": 20, \"total_steps\": 20, \"loss\": NaN, \"lr\": 1.2e-06, \"epoch\": 0.0088, "
    "\"throughput\": 3001, \"total_tokens\": 8192, \"vram_allocated\": 10.5, \"vram_reserved\": 12.25}\n"
    "{\"current_steps\": 20, \"total_steps\": 20, \"epoch\": 1.0, \"percentage\": 100.0}\n";

// Nulls: what this kind of training does not have, and the mark of the end.
inline constexpr std::string_view nulls =
    "{\"current_steps\": 10, \"total_steps\": 25, \"loss\": 4.5, \"eval_loss\": null, \"reward\": null, "
    "\"lr\": "
    "2.5e-05, \"epoch\": 0.25}\n"
    "{\"current_steps\": 20, \"total_steps\": 25, \"loss\": 4.25, \"eval_loss\": null, \"reward\": null, "
    "\"lr\": "
    "null, \"epoch\": 0.5}\n"
    "{\"current_steps\": 20, \"total_steps\": 25, \"loss\": null, \"eval_loss\": 4.375, \"reward\": null, "
    "\"lr\": null, \"epoch\": 0.5}\n"
    "{\"current_steps\": 25, \"total_steps\": 25, \"loss\": null, \"eval_loss\": null, \"reward\": null, "
    "\"lr\": "
    "null, \"epoch\": 0.75, \"percentage\": 100.0}\n";

inline constexpr std::string_view console =
    "***** Running training *****\n"
    "  2%|2   | 5/300 [00:26<25:00,  5.09s/it][INFO|2026-01-01 10:00:00] llamafactory.train.callbacks:143 >> "
    "{'loss': 3.2370, 'learning_rate': 9.8746e-06, 'epoch': 0.37, 'throughput': 82.25}\n"
    "{'loss': 3.237, 'grad_norm': 12.05, 'learning_rate': 9.874639560909118e-06, 'epoch': 0.37, "
    "'num_input_tokens_seen': 30240, 'train_runtime': 367.6, 'train_tokens_per_second': 82.249}\n"
    "[INFO|callbacks.py:310] 2026-01-01 10:01:00,000 >> {'loss': 2.2260, 'learning_rate': 9.3761e-06, "
    "'epoch': 0.75, 'throughput': 80.66}\n"
    "{'loss': 2.226, 'grad_norm': nan, 'learning_rate': 9.376e-06, 'epoch': 0.75, "
    "'num_input_tokens_seen': 60480}\n";

inline std::vector<Specimen> specimens() {
  return {{"trainer_log.jsonl",
           lines,
           {{"lm_loss", -1, 10, "2.219"},
            {"learning_rate", -1, 10, "1.3e-06"},
            {"consumed_tokens", -1, 10, "4096"},
            {"memory_max_allocated", -1, 1, "10.5"},
            {"memory_max_reserved", -1, 1, "12.25"},
            {"validation_loss", -1, 10, "2.5"},
            {"lm_loss", -1, 20, "NaN"},
            {"learning_rate", -1, 20, "1.2e-06"},
            {"consumed_tokens", -1, 20, "8192"},
            {"memory_max_allocated", -1, 2, "10.5"},
            {"memory_max_reserved", -1, 2, "12.25"}}},
          {"nulls",
           nulls,
           {{"lm_loss", -1, 10, "4.5"},
            {"learning_rate", -1, 10, "2.5e-05"},
            {"lm_loss", -1, 20, "4.25"},
            {"validation_loss", -1, 20, "4.375"}}},
          {"the console, where the logger and the Trainer print each step",
           console,
           {{"lm_loss", -1, 1, "3.2370"},
            {"grad_norm", -1, 1, "12.05"},
            {"learning_rate", -1, 1, "9.874639560909118e-06"},
            {"consumed_tokens", -1, 1, "30240"},
            {"lm_loss", -1, 2, "2.2260"},
            {"grad_norm", -1, 2, "nan"},
            {"learning_rate", -1, 2, "9.376e-06"},
            {"consumed_tokens", -1, 2, "60480"}}}};
}

}  // namespace gate::extract::llama_factory_log
