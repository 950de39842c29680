// How many of what.
#pragma once

#include <string>

#include "gate/model/report.h"

namespace gate::render {

// Tell whether the verdict, or the case's, is neither passed nor skipped.
bool is_red(Verdict verdict);
bool is_red(const CaseReport& report);

// Tell whether the case holds a check that failed under a waiver.
bool is_waived(const CaseReport& report);

// Return `66 passed, 1 waived, 1 SKIPPED, 2 RED   speed gated in 67`; a waived case is not counted as passed.
// Behind it, where a run was stopped early, `   stopped early: 12 device-minutes saved`.
std::string totals(const Report& report);

// Return `1h52m, 896 device-minutes`: how long the run took, and on devices where it had any.
std::string spent_words(const Report& report);

// Return `12 device-minutes saved`; below ten with one decimal.
std::string saved_words(Duration device_time);

// Return `PLAN: 66 to run, 1 skipped (exit 0)`.
std::string plan_line(const Report& report);

// Return `gate 1.0.0  llm-st  run 1121-0203  npu-07, ascend-910b3  commit 9c1e2f4` without the parts that are
// unknown, and with `profile megatron` where it is not gate's own; of `gate check` only what a saved log can
// have.
std::string header_line(const Report& report);

}  // namespace gate::render
