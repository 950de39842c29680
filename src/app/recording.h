// One case recorded: its runs into one candidate, good only where each of them is.
#pragma once

#include <string>

#include "app/run_session.h"

namespace gate::app {

struct Recording {
  Baseline candidate;  // one run for each launch; without series where nothing was measured
  CaseReport report;   // of the last run; passed where the recording is good
};

// Launch the case `wanted` times. The first bad run ends it: one that did not end well, did not print the
// steps that it announced, or holds values that are no numbers. So do runs that do not hold the same series
// and steps. Logs and series of each are kept; with several runs the series beside the first log are those
// of all.
Recording record_runs(RunSession& session, const PlannedCase& planned, int wanted, const std::string& today);

}  // namespace gate::app
