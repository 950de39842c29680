// `--confirm N`: a failed speed check may be noise, and N runs in all say whether it is. Never until green:
// always N, unless something else fails in one of them.
#pragma once

#include "app/run/judged_runs.h"

namespace gate::app {

// Tell whether the run ended well and nothing but checks of kind speed failed in it.
bool only_speed_failed(const SingleRun& run, const MetricTable& metrics);

// Return the report of the case whose first run failed by its speed alone, after options.confirm runs, the
// first included, judged by their mean. A run that fails in any other way ends it with that run's verdict;
// where no further run can start or one is cut off (interrupt, --deadline) or fell victim to the host, what
// was found stands.
CaseReport confirm(CaseRuns& runs, SingleRun first);

}  // namespace gate::app
