// One target evaluated on one run: everything that a check is made of.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gate/judge/judge.h"
#include "gate/model/reports/report.h"
#include "judge/rules/paired_values.h"
#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"
#include "judge/rules/run_coverage.h"

namespace gate::judge {

// How far a run came, and how far it had to come.
struct Progress {
  std::int64_t reached = 0;              // the last step printed
  std::optional<std::int64_t> demanded;  // by the baseline; else by `steps`; else by what the log announces
  bool ended_badly = false;              // it did not end by itself with 0; a saved log did not end badly
  // By the log, where it did not get so far, and nobody stopped it; and how far it came by that.
  std::optional<std::int64_t> announced;
  std::int64_t came = 0;

  bool cut_short() const { return ended_badly || (demanded && reached < *demanded); }
};

Progress progress_of(const JudgeInput& input, const Extraction& run);

struct CheckEvaluation {
  const RuleTarget& target;
  const JudgeInput& input;
  const Extraction& run;                        // whose values are judged
  std::span<const Extraction* const> together;  // further runs: all are judged by their mean
  Progress progress;
  ReferenceWindow reference;
  RunCoverage coverage;
  NumericSeries series;           // the run's, ranks combined; of several runs their mean
  std::optional<Remark> problem;  // why the two cannot be put side by side; none where they can
  WindowComparison comparison;    // empty where there is a problem
  CheckStatus status = CheckStatus::incomparable;
  std::optional<remark::OfRuns> of_runs = {};  // where the rule holds in each of several runs

  const Rule& rule() const { return *target.rule; }

  // Tell whether nothing of a speed is left to be judged, since a profiler ran.
  bool is_profiled_throughout() const {
    return input.is_profiled && target.metric.kind == MetricKind::speed && reference.window.empty();
  }

  // Tell whether a speed has less than its last values because a profiler ran in others.
  bool is_thinned() const {
    const Window& window = rule().window;
    return input.is_profiled && target.metric.kind == MetricKind::speed &&
           window.kind == Window::Kind::last && std::ssize(reference.window) < window.a;
  }

  // Tell whether values of a baseline were compared, not constants alone.
  bool against_baseline() const { return !target.open() && needs_baseline(rule().tolerance) && !problem; }
};

// Return the evaluation, decided. The order of precedence: a value that is no number fails; what is out of
// bounds, or cannot come back into them, fails; what is not there is missing, or undecided where the run was
// cut off before it; what cannot be compared is incomparable; the rest passes. A failure under a waiver that
// still holds is waived. Where all of several runs are judged (Pooling::all), a rule that does not reduce a
// run to one number holds in each of them: the evaluation is that of the worst run, or of the one that comes
// nearest to its limit.
CheckEvaluation evaluate(const RuleTarget& target, const JudgeInput& input, const Progress& progress);

// Tell whether the tolerance is an amount that is no less than the baseline's values: 0 passes in place of
// each of them, or twice the value where it bounds the upper side alone.
bool is_too_wide(const CheckEvaluation& evaluation);

// Return `2 of the last 10, a profiler ran in the others` of a speed that is thinned.
Remark left_by_profiler(const CheckEvaluation& evaluation);

// Return the check with every field filled that the evaluation has something for.
Check check_of(const CheckEvaluation& evaluation);

// Return the remarks on a check: bit-equality, a bias to one side, a move in the good direction, a stall, a
// baseline of 0, misses that were allowed, what the run has beyond its baseline.
std::vector<Remark> remarks_on(const CheckEvaluation& evaluation);

}  // namespace gate::judge
