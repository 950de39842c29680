// What every report of a run says before its cases.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/report.h"

namespace gate::render {

// Return what ran and how many cases became what, a line each: `gate 1.0.0  llm-st  run 1121-0203 ...`,
// `60 cases, 23.8s: 57 passed, 3 RED   speed gated in 59`, and what a second profile would say.
std::vector<Sentence> head_lines(const Report& report);

// Return what holds for the suite rather than for a case, a line each: how metrics moved together and what is
// apart, and in what several runs differ from those of their baselines.
std::vector<Sentence> suite_lines(const Report& report);

}  // namespace gate::render
