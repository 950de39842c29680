// The further phases of a case in one run: each launched behind the one before it, on the same devices.
#pragma once

#include <optional>

#include "runner/course/course.h"

namespace gate::app {

// Put what was launched last into the run - of a further phase logs and series by names that end with its own
// (`log-resume`) -, and return the launch of the phase behind it. Nothing behind the last one, and behind one
// from which nothing can go on, which the run's report then says.
std::optional<NextLaunch> next_phase(const PlannedCase& planned, Measured& run, Measured last);

}  // namespace gate::app
