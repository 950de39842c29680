// The runs of one case while a run judges it: each launched, judged alone, and kept in a folder of its own.
#pragma once

#include <string>

#include "app/run/case_runner.h"

namespace gate::app {

// Launch the case, judge it, and return its report. A run that ended as infra is launched again, as often as
// --retry-infra allows for each run: what the host did may go better the next time; what the script did would
// not. Where the host is lost, the case is to run elsewhere, and the report is that of the launch there.
//
// With `--confirm N` a failed speed check may be noise, and N runs in all say whether it is: if the first run
// failed by its speed alone, the report is that of N runs, the first included, judged by their mean. Never
// until green: always N, unless something else fails in one of them. A run that fails in any other way ends
// it with that run's verdict; if no further run can start, or one is cut off (interrupt, --deadline) or fell
// victim to the host, what was found stands.
//
// With `--determinism N` there are N runs, and what they print must be the same; the first is judged as ever.
CaseReport run_and_judge(CaseRunner& runner, const PlannedCase& planned, const std::string& today);

}  // namespace gate::app
