// The built-in rule `finite`: what no other rule compares stays a number.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gate/judge/judge.h"

namespace gate::judge {

// A check for each series that fails, and what is worth knowing of the others.
struct FiniteFindings {
  std::vector<Check> checks;
  std::vector<Note> notes;
};

// Return the steps that the run's log says were skipped, so that no weight moved, and that its baseline does
// not count as many skipped ones at.
std::set<std::int64_t> newly_skipped_steps(const JudgeInput& input);

// Return what the rule finds in the run, beside the baseline's series of the same metric and rank (of another
// rank where the baseline has not this one). Nothing of metrics that are `ruled`: their checks demand finite
// values themselves. It compares no sizes, so it never passes.
//
// These fail:
//   a value of a metric of kind accuracy that is not finite, unless the baseline's at that number is not
//   finite either, or it is a norm of a step that the log says was skipped, while no more steps are skipped
//   than in the baseline;
//   a number at which the run has its training record without the metric, and the baseline has both, where
//   the baseline prints the metric in nine of ten records;
//   nan_iterations that are more than the baseline's;
//   where the case `compares` something, a NaN or an infinite value of a metric that the baseline lacks,
//   unless it is a norm of a step that the log says was skipped; of a log that counts no skipped steps:
//   unless it is a norm, and a number of it follows.
// These are noted: such norms of skipped steps, and a norm of 0 where the baseline's is not.
FiniteFindings find_non_finite(const Rule& rule, const JudgeInput& input, const std::set<std::string>& ruled,
                               bool compares);

}  // namespace gate::judge
