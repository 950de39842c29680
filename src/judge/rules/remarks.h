// What else is worth knowing of a check, besides its status.
#pragma once

#include <vector>

#include "gate/model/report.h"
#include "judge/rules/check_evaluation.h"

namespace gate::judge {

// Return the remarks on a check: bit-equality, a bias to one side, a move in the good direction, a stall, a
// baseline of 0, misses that were allowed, what the run has beyond its baseline.
std::vector<Remark> remarks_on(const CheckEvaluation& trial);

}  // namespace gate::judge
