// A trial as a report shows it.
#pragma once

#include "gate/model/report.h"
#include "judge/rules/check_evaluation.h"

namespace gate::judge {

// Return the check with every field filled that the trial has something for.
Check check_of(const CheckEvaluation& trial);

}  // namespace gate::judge
