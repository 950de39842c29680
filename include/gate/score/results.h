// Scores of evaluation tools held against golden ones.
#pragma once

#include <string>

#include "gate/model/output.h"

namespace gate::score {

// Return why the scores of a task cannot be held against the golden ones, `task version 1 instead of 2`; ""
// if they can. What one side alone tells keeps them apart, too, and scores of
// no sample are none.
std::string why_incomparable(const EvalTask& actual, const EvalTask& golden);

}  // namespace gate::score
