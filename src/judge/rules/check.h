// An evaluation as a report shows it.
#pragma once

#include <vector>

#include "gate/model/report.h"
#include "judge/rules/check_evaluation.h"

namespace gate::judge {

// Return the check with every field filled that the evaluation has something for.
Check check_of(const CheckEvaluation& evaluation);

// Return the remarks on a check: bit-equality, a bias to one side, a move in the good direction, a stall, a
// baseline of 0, misses that were allowed, what the run has beyond its baseline.
std::vector<Remark> remarks_on(const CheckEvaluation& evaluation);

}  // namespace gate::judge
