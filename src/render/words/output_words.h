// The outputs of a case in words: how much of them differs from the golden file, and what.
#pragma once

#include <string>
#include <vector>

#include "gate/model/report.h"

namespace gate::render {

// A line or number of an output beside the golden one. Both sides are safe to be shown, and of long lines the
// part around the first difference.
struct ShownDifference {
  std::string title;  // `line 3, the first`
  std::string golden, actual;
};

// What there is to say of one score of an output.
struct ShownOutput {
  std::string title;  // `answer.bleu: 12 of 40 lines differ; nrefs:1|...`
  std::vector<ShownDifference> differences;
};

// Return `init, download 3s, test 1m2s failed, report`: the stages that were done, with their time; "" of a
// case without.
std::string stage_words(const CaseReport& report);

// Return what is worth showing of a case's outputs: scores with a difference, and files that are missing.
std::vector<ShownOutput> shown_outputs(const CaseReport& report);

}  // namespace gate::render
