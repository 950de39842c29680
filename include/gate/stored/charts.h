// What a report draws and quotes of a run: its series beside the baseline's, and its logs where it failed.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gate/model/reports/report.h"
#include "gate/model/runs/baseline.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Return the charts of a case: one for each metric that the run or the reference has, all ranks in one; those
// of red checks first, then those of other checks, then the rest. Readings of hardware share a group, on
// whose axis of seconds the time per step stands, too, where gate saw the steps come. Of a further phase of
// the case, those alone that its checks are of.
std::vector<Chart> charts_of(const CaseReport& report, const std::vector<Series>& run,
                             const Reference& reference, const std::string& phase = "");

// Return the lines of the log around what failed: the first value out of bounds of each red check, the
// message that is the cause, and the end of the log of a script that did not end well. At most six.
std::vector<Excerpt> excerpts_of(const CaseReport& report);

// Return what reads the series, charts and excerpts of a case of a stored run, as far as its files are still
// there.
std::function<CaseDetails(const CaseReport&)> details_in(const Suite& suite);

}  // namespace gate::app
