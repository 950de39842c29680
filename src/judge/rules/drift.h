// Where a series went, beyond what a status says.
#pragma once

#include <optional>

#include "judge/rules/check_evaluation.h"

namespace gate::judge {

// Return on which side all differences lie where values that are compared one by one pass, and at least ten
// of them differ from the baseline, all to the same side. Not for tolerances of one side, nor where `exact`
// chooses among several runs. Why ten: were both sides equally likely, n differences would all lie on one
// side with probability 2 * 2^-n, 0.2 % at ten (the sign test: Dixon and Mood, Journal of the American
// Statistical Association 41, 1946, 557-566). The test takes the differences for independent of each other,
// which the steps of a training are not: a note, never a verdict.
std::optional<Remark> bias(const CheckEvaluation& trial);

// Return the passing value that lies further in the good direction than the tolerance would have allowed in
// the bad one; of several the one that went furthest.
std::optional<Remark> move_for_the_better(const CheckEvaluation& trial);

// Return, of a mean out of bounds, whether the median of the same window is too. The median of several
// baseline runs is the mean of their medians.
std::optional<Remark> stall(const CheckEvaluation& trial);

}  // namespace gate::judge
