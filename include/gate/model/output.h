// What a script leaves beside its log: numbers, and what evaluation tools say of a model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/model/metric.h"

namespace gate {

// Numbers as a file holds them, in its order, and their shape: `6` in a row, `2x3` in two rows of three, ""
// of a single one and where it is not told.
struct Numbers {
  std::vector<double> values;
  std::string shape;
};

// One score of one task.
struct EvalScore {
  std::string task;    // `arc_easy`
  std::string metric;  // `acc_norm`; with its filter where that is not `none`: `exact_match/strict-match`
  double value = 0;    // as the tool writes it, finite
  std::optional<double> standard_error;
  Better better = Better::higher;
};

// How a task was done.
struct EvalTask {
  std::string task;
  std::string version;  // of the task; "" is not told
  std::optional<std::int64_t> shots;
  std::optional<std::int64_t> samples;
};

struct EvalResults {
  std::string tool;               // `lm-evaluation-harness`, `opencompass`
  std::vector<EvalTask> tasks;    // in the order of the file
  std::vector<EvalScore> scores;  // likewise
};

}  // namespace gate
