// The further phases of a case in one run: each launched behind the one before it, on the same devices, and
// judged.
#pragma once

#include <string>

#include "app/run/case_runner.h"

namespace gate::app {

// Launch the phases behind the first one, whose launch and report these are, and put what came of them into
// both: logs and series are kept by names that end with the phase's (`log-resume`). A phase after which
// nothing can go on is the last. At the end the checkpoints that the phases had in common are removed, unless
// the case keeps them.
void launch_further_phases(CaseRunner& runner, const PlannedCase& planned, Purpose purpose, int number,
                           const std::string& today, LaunchResult& first, CaseReport& report);

}  // namespace gate::app
