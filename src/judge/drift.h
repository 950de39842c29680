// Where a series went, beyond what a status says.
#pragma once

#include <string>

#include "judge/trial.h"

namespace gate::judge {

// Return `all 15 differences are above the baseline (steps 1-15, mean +0.0031)` where values that are
// compared one by one pass, and at least ten of them differ from the baseline, all to the same side; else "".
// Not for tolerances of one side, nor where `exact` chooses among several runs. Why ten: were both sides
// equally likely, n differences would all lie on one side with probability 2 * 2^-n, 0.2 % at ten (the sign
// test: Dixon and Mood, Journal of the American Statistical Association 41, 1946, 557-566). The test takes
// the differences for independent of each other, which the steps of a training are not: a note, never a
// verdict.
std::string bias(const Trial& trial);

// Return `step 7: 80.0 against 100.0, 20 % below the baseline: re-record?`, or of a reduced value `mean of
// steps 6-15: 349.41 against 134.17, 2.6 times the baseline: re-record?`, where a passing value lies further
// in the good direction than the tolerance would have allowed in the bad one; else "".
std::string move_for_the_better(const Trial& trial);

// Return, of a mean out of bounds, whether the median of the same window is too: `median +8.5 %, no stall`,
// or `a stall: the median +0.2 % passes, slow at steps 7 and 12`; else "". The median of several baseline
// runs is the mean of their medians.
std::string stall(const Trial& trial);

}  // namespace gate::judge
