// Scores of evaluation tools held against golden ones.
#pragma once

#include <cstdint>
#include <string>

#include "gate/base/sentence.h"
#include "gate/model/numbers/output.h"

namespace gate::score {

// Return why the scores of a task cannot be held against the golden ones, `task version 1 instead of 2`; ""
// if they can. What one side alone tells keeps them apart, too, and scores of
// no sample are none.
Sentence why_incomparable(const EvalTask& actual, const EvalTask& golden);

// Return the standard error that a share of so many samples has (Wilson 1927: also above 0 where all or none
// are right); 0 where it is no share, 0..1, or of no sample.
double share_error(double share, std::int64_t samples);

}  // namespace gate::score
