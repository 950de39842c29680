// What a script leaves beside its log: text, numbers, what evaluation tools say of a model; and what it is
// worth.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/numbers/metric.h"

namespace gate {

// Numbers as a file holds them, in its order, and their shape: `6` in a row, `2x3` in two rows of three, ""
// of a single one and where it is not told.
struct Numbers {
  std::vector<double> values;
  std::string shape;
  std::vector<std::int64_t> steps = {};  // that each line, row or object says it is of; empty: not all say it
  bool is_named = false;                 // they were chosen by a name, beside which a step could stand
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

// A line, number or tensor of which an output and its golden file differ.
struct OutputDifference {
  std::int64_t number = 0;      // of the line or value, from 1
  std::string actual, golden;   // as they stand there; of a line at most 2,000 bytes, cut between code points
  std::optional<double> value;  // of the metric for it alone; none where it has none
  std::int64_t offset = 0;      // of text: code points before the first difference
  std::string place = {};       // of weights, where `number` counts in a tensor: `wte.weight[1, 2]`
};

// What one metric says of an output.
struct OutputScore {
  std::string metric;  // `answer.bleu`; of results `eval.arc_easy.acc`
  Better better = Better::higher;
  std::optional<double> value;  // none: it is not among the results
  std::string signature;        // how it was computed
  std::int64_t compared = 0;    // lines, numbers or tensors laid side by side
  std::int64_t differing = 0;
  std::optional<OutputDifference> first = {}, worst = {};
  // Of results.
  std::optional<double> golden = {}, standard_error = {}, golden_standard_error = {};
  std::optional<std::int64_t> samples = {};  // that the run was measured by
  Sentence incomparable = {};                // why both cannot be held against one another
};

// What became of an output of a case.
struct OutputResult {
  std::string name;
  std::string file;    // that the script wrote, as it is kept
  std::string golden;  // "": none is named
  Sentence missing;    // why there is nothing of the run to be judged; "": there is
  Sentence unjudged;   // why nobody can judge it: the golden file
  std::vector<OutputScore> scores;
};

}  // namespace gate
