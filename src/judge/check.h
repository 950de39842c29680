// A trial as a report shows it.
#pragma once

#include <string>

#include "gate/model/report.h"
#include "judge/trial.h"

namespace gate::judge {

// Return the check with every field filled that the trial has something for.
Check check_of(const Trial& trial);

// Return why the check did not hold, in one line for people: `lm_loss out of ±0.01 first at step 6 (10.46010
// -> 10.47114, |Δ| 0.01104, 3 of 15)`, `lm_loss step 5: nan`, `throughput mean of steps 6-15 134.17 -> 127.1
// (-5.27 %), limit 127.4615`.
std::string headline(const Check& check);

}  // namespace gate::judge
