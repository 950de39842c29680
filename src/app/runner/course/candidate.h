// What a launch measured, and where: a candidate for a baseline, kept beside the launch's log.
#pragma once

#include <string>

#include "gate/places/launch_case.h"

namespace gate::app {

// Return where the launch measured what it did, secrets masked.
Provenance provenance_of(const LaunchContext& context, const PlannedCase& planned,
                         const LaunchResult& launched);

// Return the candidate that the launch makes, with the provenance of what was read of it.
Baseline candidate_of(const PlannedCase& planned, const LaunchResult& launched);

// Write the candidate beside that log of the record, from where `accept --run` can take it, and add it to
// the record's artifacts: beside `log-2` as `series-2`. Nothing is written where there is no log. Fails if it
// cannot be written.
Status keep_series(const Baseline& candidate, LaunchRecord& record, const std::string& log = "log");

// Put the clocks and the provenance of a launch into what its log, read again, holds: from the file that
// keep_series() wrote. A file that cannot be read has none.
void add_kept_clocks(Extraction& run, const std::string& file, const MetricTable& metrics);

}  // namespace gate::app
