// The cases of a suite over the same runs: where all of them moved together, and what is left for each.
#pragma once

#include <vector>

#include "gate/judge/trend.h"
#include "gate/model/numbers/metric.h"

namespace gate::app {

// Return the trend of the suite whose cases these are, sorted. What a case did together with the suite is no
// longer among its own changes.
SuiteTrend suite_trend(std::vector<CaseTrend> cases);

// Tell whether a run counts: of `gate run`, without ARGS and --set.
bool is_counted(const CasePoint& point);

// Tell whether it is a verdict of the case itself: what ends a run from outside says nothing of it, and what
// has no baseline is not judged.
bool is_own_verdict(Verdict verdict);

// Make this the fit of the trend's values.
void take_fit(Trend& trend, judge::LevelFit fit);

// Tell whether a change from the one level to the other is one for the worse; of a metric that has no better
// side any is.
bool is_worse(Better better, double before, double after);

// Return the index of the first value in a row that was judged against the baseline of the value at `at`.
std::size_t baseline_begin(const Trend& trend, std::size_t at);

// Tell whether the level at `at` is worse than at `from`, by more than half of the least change. Where `from`
// is the begin of its baseline, what is green there has drifted.
bool has_drifted(const Trend& trend, std::size_t from, std::size_t at);

// Tell whether a baseline was accepted behind the value at `at`, which knows of what changed there.
bool has_baseline_since(const Trend& trend, std::size_t at);

}  // namespace gate::app
