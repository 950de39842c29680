// Runs that follow from an earlier one: what was not green once more, or what was cut off to its end.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "gate/base/sentence.h"
#include "gate/places/run_plan.h"
#include "gate/runner/run.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Return the options with the cases, ARGS, --set and platform that --again or --resume take from the earlier
// run; unchanged if neither is given. Fails (2) if words contradict the earlier run, (3) if it left
// nothing to do or is of another commit, and for a run that cannot be read.
Answer<RunOptions> with_earlier_run(const Suite& suite, RunOptions options);

// Return why a case of the run that is taken up runs again though it has finished; nothing if its
// result is kept. `left` are the cases that run before it.
std::optional<Sentence> why_again(const CaseReport& finished, const PlannedCase& planned,
                                  const std::set<std::string>& left);

// Fail (3) if a run is taken up that has finished all that is planned.
Answer<void> check_rest(const Suite& suite, const RunOptions& options, const RunPlan& plan);

}  // namespace gate::app
