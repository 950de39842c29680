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

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/model/report.h"

namespace gate::judge {

// How far one case moved in one metric.
struct Move {
  std::string case_name;
  std::string place;  // see place_word()
  std::string metric;
  double percent = 0;
  std::optional<double> spike = {};  // percent, of the value that moved farthest; where each is compared
  std::int64_t spike_at = 0;         // the step, or what the metric is numbered by
  Numbering numbered = Numbering::step;
  double units = 0;  // from the suite: by its move or its spike, whichever is farther
  bool by_spike = false;
};

struct MetricTriage {
  std::string metric;
  std::size_t cases = 0;
  std::size_t together = 0;
  double median = 0, least = 0, most = 0;  // percent, of the moves of those together
};

struct Triage {
  std::vector<MetricTriage> metrics;  // by name; of three cases or more, where anything moved
  std::vector<Move> apart;            // the farthest first
  std::vector<Move> together;         // likewise
};

// Return the triage of what was compared with baselines. Of several ranks or rules of a case the one that
// moved most counts. A metric that fewer than three cases have, and values at a baseline of 0, tell nothing.
Triage triage(std::span<const CaseReport> cases);

}  // namespace gate::judge
