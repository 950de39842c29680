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

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/model/reports/report.h"
#include "gate/model/reports/triage.h"

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

// Return the widest deviation that the tolerance allows of the baseline, in percent of it; 0 where it bounds
// none.
double allowed_percent(const Tolerance& tolerance, double baseline);

// Return the move, weighed by what the tolerance allows of the baseline.
WeighedMove weighed(Move move, const Tolerance& tolerance, double baseline);

// Return the triage of moves of one metric: one of each case and place.
Triage triage_of(const std::string& metric, std::vector<WeighedMove> moves);

// Add the triage of another metric.
void add_moves(Triage& all, Triage one);

// Tell whether the move is one of the case.
bool is_of(const Move& move, const CaseReport& report);

// Return the first of the case's checks, of all metrics or of those chosen, that is not passed, and that did
// not fail by a move together with the rest; nullptr where there is none.
const Check* unmoved_check(const Triage& triage, const CaseReport& report,
                           const std::function<bool(const std::string& metric)>& is_chosen = nullptr);

// Return the triage of what was compared with baselines; of a case that did not end well, or that failed by a
// value that is no number, nothing counts. Of several ranks or rules of a case the one that
// moved most counts. A metric that fewer than three cases have, and values at a baseline of 0, tell nothing.
Triage triage(std::span<const CaseReport> cases);

}  // namespace gate::judge
