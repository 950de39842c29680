// How fast a run of a case was, beside the figure that it is bound to.
#pragma once

#include <optional>

#include "gate/config/policy.h"
#include "gate/model/reports/report.h"
#include "gate/model/runs/extraction.h"

namespace gate::app {

// Return it, from the run with its derived series and from the checks of the report. The speed is that of the
// rule against the reference, else the first one of tables that the run has (printed_metrics()). None where
// nothing but the cluster is known of what was trained.
std::optional<CasePerformance> performance_of(const config::Case& spec, const Extraction& run,
                                              const CaseReport& report);

}  // namespace gate::app
