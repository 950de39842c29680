// Specimens of format `torchtitan`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::torchtitan_log {

inline constexpr std::string_view plain =
    "[rank0]:[titan] 2026-05-18 16:04:46,338 - root - INFO - step:  1  loss:  8.12345  grad_norm:  0.8319  "
    "memory:  9.46GiB(64.99%)  tps: 7,282  tflops: 0.52  mfu: 0.17%\n"
    "[rank1]:[titan] 2026-05-18 16:04:46,340 - root - INFO - step:  1  loss:  8.12345  grad_norm:  0.8319  "
    "memory:  9.50GiB(65.27%)  tps: 7,290  tflops: 0.53  mfu: 0.18%\n"
    "[rank0]:[titan] 2026-05-18 16:04:52,338 - root - INFO - validate step:  1  loss:  8.2  memory:  "
    "9.46GiB(64.99%)  tps: 9,282\n";

inline constexpr std::string_view coloured =
    "[rank0]:[titan] 2026-05-03 01:27:02,692 - root - INFO - \x1b[31mstep: 10  \x1b[32mloss:  5.95272  "
    "\x1b[38;2;180;60;0mgrad_norm:  0.3497  \x1b[38;2;54;234;195mmemory:  4.70GiB(14.97%)  \x1b[34mtps: 8  "
    "\x1b[36mtflops: 0.05  \x1b[35mmfu: 0.01%\x1b[39m\n";

inline constexpr std::string_view older =
    "[rank0]:2024-06-01 10:00:01,123 - root - INFO - step:  1  loss: 10.8000  memory: 12.34GiB(13.02%)  wps: "
    "1,001  mfu: 30.50%\n";

inline constexpr std::string_view merged =
    "[rank0]:[titan] 2026-05-18 16:04:46,338 - root - INFO - step:  3  loss:  8.25  grad_norm:  0.5  memory: "
    " 9.46GiB(64.99%)  tps: 7,282  tflops: 0.52  mfu: N/A[rank1]:[titan] 2026-05-18 16:04:46,340 - root - "
    "INFO - step:  3  loss:  8.25  grad_norm:  0.5  memory:  9.50GiB(65.27%)  tps: 7,290  tflops: 0.53  mfu: "
    "N/A\n"
    "[rank1]:[titan] 2026-05-18 16:04:46,338 - root - INFO - step:  4  loss:  8.0  grad_no[rank0]:[titan] "
    "2026-05-18 16:04:46,340 - root - INFO - step:  4  loss:  8.0  grad_norm:  0.4  memory:  9.46GiB(64.99%) "
    " tps: 7,282  tflops: 0.52  mfu: N/A\n";

// A loss of -1.0001 is one.
inline constexpr std::string_view stages =
    "0: [rank0]:[titan] 2026-05-18 16:04:46,338 - root - INFO - step:  1  loss: -1.0000  grad_norm:  0.5  "
    "memory:  9.46GiB(64.99%)  tps: 7,282  tflops: 0.52  mfu: 0.17%\n"
    "1: [rank7]:[titan] 2026-05-18 16:04:46,340 - root - INFO - step:  1  loss:  8.25  grad_norm:  0.5  "
    "memory:  9.50GiB(65.27%)  tps: 7,290  tflops: 0.53  mfu: 0.18%\n"
    "1: [rank7]:[titan] 2026-05-18 16:04:47,340 - root - INFO - step:  2  loss: -1.0001  grad_norm:  0.4  "
    "memory:  9.50GiB(65.27%)  tps: 7,291  tflops: 0.53  mfu: 0.18%\n"
    "0: [rank0]:[titan] 2026-05-18 16:04:47,350 - root - INFO - step:  2  loss: -1  grad_norm:  0.4  memory: "
    " 9.46GiB(64.99%)  tps: 7,283  tflops: 0.52  mfu: 0.17%\n"
    "0: [rank0]:[titan] 2026-05-18 16:04:48,338 - root - INFO - validate step:  2  loss: -1.0000  memory:  "
    "9.46GiB(64.99%)  tps: 9,282\n";

inline std::vector<Specimen> specimens() {
  return {{"two ranks and a validation",
           plain,
           {{"lm_loss", -1, 1, "8.12345"},
            {"grad_norm", -1, 1, "0.8319"},
            {"memory_max_reserved", 0, 1, "9.46GiB(64.99%)"},
            {"memory_max_reserved", 1, 1, "9.50GiB(65.27%)"},
            {"tokens_per_second", 0, 1, "7,282"},
            {"tokens_per_second", 1, 1, "7,290"},
            {"throughput", 0, 1, "0.52"},
            {"throughput", 1, 1, "0.53"},
            {"mfu", 0, 1, "0.17%"},
            {"mfu", 1, 1, "0.18%"},
            {"validation_loss", -1, 1, "8.2"}}},
          {"two pipeline stages, the first one without a loss",
           stages,
           {{"lm_loss", -1, 1, "8.25"},
            {"lm_loss", -1, 2, "-1.0001"},
            {"grad_norm", -1, 1, "0.5"},
            {"grad_norm", -1, 2, "0.4"},
            {"memory_max_reserved", 0, 1, "9.46GiB(64.99%)"},
            {"memory_max_reserved", 0, 2, "9.46GiB(64.99%)"},
            {"memory_max_reserved", 7, 1, "9.50GiB(65.27%)"},
            {"memory_max_reserved", 7, 2, "9.50GiB(65.27%)"},
            {"tokens_per_second", 0, 1, "7,282"},
            {"tokens_per_second", 0, 2, "7,283"},
            {"tokens_per_second", 7, 1, "7,290"},
            {"tokens_per_second", 7, 2, "7,291"},
            {"throughput", 0, 1, "0.52"},
            {"throughput", 0, 2, "0.52"},
            {"throughput", 7, 1, "0.53"},
            {"throughput", 7, 2, "0.53"},
            {"mfu", 0, 1, "0.17%"},
            {"mfu", 0, 2, "0.17%"},
            {"mfu", 7, 1, "0.18%"},
            {"mfu", 7, 2, "0.18%"}}},
          {"with colours",
           coloured,
           {{"lm_loss", -1, 10, "5.95272"},
            {"grad_norm", -1, 10, "0.3497"},
            {"memory_max_reserved", 0, 1, "4.70GiB(14.97%)"},
            {"tokens_per_second", 0, 10, "8"},
            {"throughput", 0, 10, "0.05"},
            {"mfu", 0, 10, "0.01%"}}},
          {"before 2025",
           older,
           {{"lm_loss", -1, 1, "10.8000"},
            {"memory_max_reserved", 0, 1, "12.34GiB(13.02%)"},
            {"tokens_per_second", 0, 1, "1,001"},
            {"mfu", 0, 1, "30.50%"}}},
          {"lines of two ranks on one, and one broken by another rank's; mfu is not known",
           merged,
           {{"lm_loss", -1, 3, "8.25"},
            {"lm_loss", -1, 4, "8.0"},
            {"grad_norm", -1, 3, "0.5"},
            {"grad_norm", -1, 4, "0.4"},
            {"memory_max_reserved", 0, 1, "9.46GiB(64.99%)"},
            {"memory_max_reserved", 0, 2, "9.46GiB(64.99%)"},
            {"memory_max_reserved", 1, 1, "9.50GiB(65.27%)"},
            {"tokens_per_second", 0, 3, "7,282"},
            {"tokens_per_second", 0, 4, "7,282"},
            {"tokens_per_second", 1, 3, "7,290"},
            {"throughput", 0, 3, "0.52"},
            {"throughput", 0, 4, "0.52"},
            {"throughput", 1, 3, "0.53"}}}};
}

}  // namespace gate::extract::torchtitan_log
