// Which attempt a report is of.
#pragma once

#include "extract/attempts/report_tape.h"
#include "extract/attempts/step_tape.h"

namespace gate::extract {

// Return what tells the attempt of a report: that of its step among the lines of the source that printed a
// step last before it. The nearest one counts, before or behind, in steps, and then in lines; where the
// report's own source prints steps, one before. The tapes outlive it.
NearestAttempt nearest_attempt(const StepTapes& steps);

}  // namespace gate::extract
