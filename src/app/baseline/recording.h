// One case recorded: its runs into one candidate, good only where each of them is.
#pragma once

#include <string>

#include "app/run/case_runner.h"

namespace gate::app {

struct Recording {
  Baseline candidate;  // one run for each launch; without series where nothing was measured
  CaseReport report;   // of the last run; passed where the recording is good
};

// Launch the case `wanted` times. A run that did not end well, or did not print the steps that it announced,
// ends it. Values that are no numbers in any run, and runs that do not hold the same series and steps, make
// it bad as well. Logs and series of each are kept; with several runs the series beside the first log are
// those of all.
Recording record_runs(CaseRunner& runner, const PlannedCase& planned, int wanted, const std::string& today);

}  // namespace gate::app
