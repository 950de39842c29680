// A suite that moved: which cases moved with the rest, and which stand apart.
//
// A case's move in a metric is the run's reduced value against the baseline's in percent; of values that are
// compared for themselves, of their means. Of those also counts by how much more the farthest of them moved
// than all of them. Either is measured from its median over the cases, in units of the noise: 1.4826 times
// the median absolute deviation (which for normal noise is its standard deviation: Rousseeuw and Croux 1993,
// Alternatives to the Median Absolute Deviation), but no less than a tenth and no more than a quarter of
// what the check's tolerance allows. What is more than four units off is apart: so is whatever lies farther
// from the rest than its tolerance.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gate/model/report.h"
#include "gate/model/triage.h"

namespace gate::judge {

using gate::MetricTriage;
using gate::Move;
using gate::Triage;

// A move with the least and the most noise that is believed, in percent.
struct WeighedMove {
  Move move;
  double floor = 0;
  std::optional<double> ceiling = {};  // none where the tolerance says nothing
};

// Return the move, weighed by what the tolerance allows of the baseline.
WeighedMove weighed(Move move, const Tolerance& tolerance, double baseline);

// Return the triage of moves of one metric: one of each case and place.
Triage triage_of(const std::string& metric, std::vector<WeighedMove> moves);

// Add the triage of another metric.
void add_moves(Triage& all, Triage one);

// Return the triage of what was compared with baselines. Of several ranks or rules of a case the one that
// moved most counts. A metric that fewer than three cases have, and values at a baseline of 0, tell nothing.
Triage triage(std::span<const CaseReport> cases);

}  // namespace gate::judge
