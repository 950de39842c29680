// One target held against one run: everything that a check is made of.
#pragma once

#include <string>

#include "gate/judge/judge.h"
#include "judge/rules/comparison.h"
#include "judge/rules/plan.h"
#include "judge/rules/progress.h"
#include "judge/rules/reference_window.h"
#include "judge/rules/run_coverage.h"

namespace gate::judge {

struct CheckEvaluation {
  const Target& target;
  const JudgeInput& question;
  Progress course;
  ReferenceWindow yardstick;
  RunCoverage evidence;
  NumericSeries line;             // the run's, ranks combined; of several runs their mean
  std::optional<Remark> problem;  // why the two cannot be put side by side; none where they can
  Comparison comparison;          // empty where there is a problem
  CheckStatus status = CheckStatus::incomparable;

  const Rule& rule() const { return *target.rule; }

  // Tell whether values of a baseline were compared, not constants alone.
  bool against_baseline() const { return !target.open() && needs_baseline(rule().tolerance) && !problem; }
};

// Return the trial, decided. The order of precedence: a value that is no number fails; what is out of bounds,
// or cannot come back into them, fails; what is not there is missing, or undecided where the run was cut off
// before it; what cannot be compared is incomparable; the rest passes. A failure under a waiver that still
// holds is waived.
CheckEvaluation hold(const Target& target, const JudgeInput& question, const Progress& course);

}  // namespace gate::judge
