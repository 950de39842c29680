// The cases of a suite over the same runs: where all of them moved together, and what is left for each.
#pragma once

#include <vector>

#include "gate/model/reports/trend.h"

namespace gate::app {

// Return the trend of the suite whose cases these are, sorted. What a case did together with the suite is no
// longer among its own changes.
SuiteTrend suite_trend(std::vector<CaseTrend> cases);

// Tell whether a run counts: of `gate run`, without ARGS and --set.
bool is_counted(const CasePoint& point);

// Tell whether a baseline was accepted behind the value at `at`, which knows of what changed there.
bool has_baseline_since(const Trend& trend, std::size_t at);

}  // namespace gate::app
