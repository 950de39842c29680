// Metrics that logs print by report and event files by step, as memory is: while a run is read, those of
// event files have names of their own, `memory_allocated by step`, so that neither counts as the other.
#pragma once

#include <string_view>

#include "gate/model/numbers/metric.h"
#include "gate/model/runs/extraction.h"

namespace gate::extract {

inline constexpr std::string_view by_step = " by step";

// Add these names to the table, each a metric as the one that it is of, numbered by step.
void add_metrics_by_step(MetricTable& metrics);

// Give these series the names, units and places of their metrics, numbered by step. One whose metric has a
// series without a rank, by report, is left out: what the log prints counts. Problems speak of the metrics.
void name_step_series(Extraction& extraction, const MetricTable& metrics);

}  // namespace gate::extract
