// Whether rules that were guessed can fail: the log that they were guessed from is damaged, and judged
// against itself.
#pragma once

#include <vector>

#include "gate/base/sentence.h"
#include "gate/config/own_metrics.h"
#include "gate/model/runs/extraction.h"

namespace gate::app {

// Judge the run by the metrics' rules as it is, with a loss twice as high at one step (up to 25 of them, and
// where it is smallest), with a loss that is 10 % higher in its last quarter, with a NaN, 10 % slower, and
// without its last fifth. Return what was not judged as it should be, a sentence each.
std::vector<Sentence> try_rules(const Extraction& run, const std::vector<config::OwnMetric>& metrics);

}  // namespace gate::app
