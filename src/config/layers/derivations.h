// The metrics of a case that are derived from others.
#pragma once

#include "config/layers/layers.h"
#include "config/layers/metrics.h"

namespace gate::config {

// Put the derivations into the metrics, and into the table the unit and the numbering that a formula gives
// its metric. Reports, at the formula: a metric that nobody knows, units that cannot be added, a declared
// unit that is not the formula's, operands that are numbered otherwise, formulas that use one another in a
// circle, the metric of another case that itself compares cases; and keys beside it that speak of a log.
void add_derivations(Metrics& metrics, const Drafts& drafts, Diagnostics& mistakes);

}  // namespace gate::config
