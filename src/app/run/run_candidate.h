// What a launch measured, and where: a candidate for a baseline, kept beside the launch's log.
#pragma once

#include <string>
#include <vector>

#include "app/run/launch_case.h"

namespace gate::app {

// Return the candidate that the launch makes, with its provenance.
Baseline candidate_of(const LaunchContext& context, const PlannedCase& planned, const LaunchResult& launched);

// Write the candidate beside the launch's log, from where `accept --from` can take it, and add it to the
// launch's artifacts. Nothing is written if nothing was measured. Fails if it cannot be written.
Status keep_series(const Baseline& candidate, LaunchResult& launched);

// Put the clocks of a launch into what its log, read again, holds: from the file that keep_series() wrote. A
// file that cannot be read has none.
void add_kept_clocks(Extraction& run, const std::string& file, const MetricTable& metrics);

// Return how a run differs from the one that its baseline was recorded by: `CANN 8.0.RC2 -> 8.0.RC3`,
// `host npu-07 -> npu-08`, `the script changed`, ...: what both are known to have, and is not the same.
std::vector<std::string> differences(const Provenance& baseline, const Provenance& run);

// Say of a failed case how its run differs from the one that its baseline was recorded by. A baseline that no
// run recorded knows of no surroundings.
void add_differences(const LaunchContext& context, const PlannedCase& planned, CaseReport& report);

}  // namespace gate::app
