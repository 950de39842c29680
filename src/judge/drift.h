// Where a series went, beyond what a status says.
#pragma once

#include <string>

#include "judge/trial.h"

namespace gate::judge {

// Return `349.41 against 134.17, 2.6 times the baseline: re-record?` where a passing value lies further in
// the good direction than the tolerance would have allowed in the bad one; else "".
std::string move_for_the_better(const Trial& trial);

// Return, of a mean out of bounds, whether the median of the same window is too: `median +8.5 %, no stall`,
// or `a stall: the median +0.2 % passes, slow at steps 7 and 12`; else "".
std::string stall(const Trial& trial);

}  // namespace gate::judge
