// Specimens of format `mindspeed-fsdp2`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::mindspeed_fsdp2_log {

inline constexpr std::string_view monitor =
    "INFO [2026-06-22 19:28:40] >>  iteration        1/    2000 | consumed samples:          8 | consumed "
    "tokens:      32768 | elapsed time per iteration (ms): 10520.60 | tokens/s: 3114.65 | mfu: 12.50 | "
    "learning rate: 9.999994E-06 | global batch size:     8 | lm loss: 1.304194E+00 | mtp loss: 1.400000E+00 "
    "| aux loss: 1.010000E-02 | indexer loss: 2.000000E-01 | grad norm: 8.515 | max_memory_allocated(GB): "
    "19.07 | max_memory_reserved(GB): 20.87 | cpu_used_memory(GB): 101.50 | cpu_available_memory(GB): 800.25 "
    "| cpu_memory_usage(%): 11.2 |\n"
    "INFO [2026-06-22 19:28:50] >>  iteration        2/    2000 | consumed samples:         16 | consumed "
    "tokens:      65536 | elapsed time per iteration (ms): 1520.60 | tokens/s: 21114.65 | mfu: 31.50 | "
    "learning rate: 9.999994E-06 | global batch size:     8 | mtp loss: 1.300000E+00 | aux loss: "
    "1.000000E-02 "
    "| indexer loss: nan | grad norm: 7.515 | max_memory_allocated(GB): 19.08 | max_memory_reserved(GB): "
    "20.88 "
    "|\n";

inline constexpr std::string_view trainer =
    "[INFO|trainer.py:801] 2026-06-22 19:28:40 >> iteration: 1 | consumed samples: 8 | elapsed time per "
    "iteration (ms): 10520.6 | throughput(samples/s): 0.8 | learning rate: 9.999994E-06 | global batch size: "
    " "
    "  8 | lm loss: 1.3042 | grad norm: 8.5150\n";

inline std::vector<Specimen> specimens() {
  return {{"the monitor's lines, the second without its loss",
           monitor,
           {{"consumed_samples", -1, 1, "8"},
            {"consumed_tokens", -1, 1, "32768"},
            {"iteration_time", -1, 1, "10520.60"},
            {"tokens_per_second", -1, 1, "3114.65"},
            {"mfu", -1, 1, "12.50"},
            {"learning_rate", -1, 1, "9.999994E-06"},
            {"global_batch_size", -1, 1, "8"},
            {"lm_loss", -1, 1, "1.304194E+00"},
            {"mtp_1_loss", -1, 1, "1.400000E+00"},
            {"load_balancing_loss", -1, 1, "1.010000E-02"},
            {"indexer_loss", -1, 1, "2.000000E-01"},
            {"grad_norm", -1, 1, "8.515"},
            {"memory_max_allocated", -1, 1, "19.07"},
            {"memory_max_reserved", -1, 1, "20.87"},
            {"consumed_samples", -1, 2, "16"},
            {"consumed_tokens", -1, 2, "65536"},
            {"iteration_time", -1, 2, "1520.60"},
            {"tokens_per_second", -1, 2, "21114.65"},
            {"mfu", -1, 2, "31.50"},
            {"learning_rate", -1, 2, "9.999994E-06"},
            {"global_batch_size", -1, 2, "8"},
            {"lm_loss", -1, 2, ""},
            {"mtp_1_loss", -1, 2, "1.300000E+00"},
            {"load_balancing_loss", -1, 2, "1.000000E-02"},
            {"indexer_loss", -1, 2, "nan"},
            {"grad_norm", -1, 2, "7.515"},
            {"memory_max_allocated", -1, 2, "19.08"},
            {"memory_max_reserved", -1, 2, "20.88"}}},
          {"the trainer's line",
           trainer,
           {{"consumed_samples", -1, 1, "8"},
            {"iteration_time", -1, 1, "10520.6"},
            {"samples_per_second", -1, 1, "0.8"},
            {"learning_rate", -1, 1, "9.999994E-06"},
            {"global_batch_size", -1, 1, "8"},
            {"lm_loss", -1, 1, "1.3042"},
            {"grad_norm", -1, 1, "8.5150"}}}};
}

}  // namespace gate::extract::mindspeed_fsdp2_log
