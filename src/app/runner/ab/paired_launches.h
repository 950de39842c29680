// The launches of `gate ab`: pair after pair, until the answer is clear.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gate/judge/paired.h"
#include "gate/runner/ab.h"
#include "runner/course/course.h"

namespace gate::app {

// A commit's suite, and its case as it is launched.
struct AbCheckout {
  std::string name;  // `A`
  Suite suite;
  RunPlan plan;

  const PlannedCase& planned() const { return plan.cases.front(); }
};

// What is asked of the pairs.
struct AbQuestion {
  std::vector<Rule> rules;        // one for each metric, that reduces a run to one value
  std::vector<double> tolerated;  // beside each rule
  int pairs = 10;                 // at most
  bool needs_speed = true;        // without a metric of speed there is no answer
  std::string today;
};

// The row of the pairs: two launches each, until each metric has its answer, or all are launched. The report
// is passed where nothing is worse, regressed where something is, unjudged where that is undecided; else that
// of the launch that failed.
class PairedLaunches : public CourseRow {
 public:
  // All arguments must outlive the object. The run's plan is that of `a`.
  PairedLaunches(const AbCheckout& a, const AbCheckout& b, const AbQuestion& question);

  bool is_judging() const override { return false; }
  NextLaunch begin() const override;
  CourseStep next(Measured run, const Standstill& now) override;

  // Return what was found: everything but who was compared, and the exit code.
  const AbResult& result() const { return result_; }

 private:
  const AbCheckout& side() const;  // that is to be launched
  bool add_pair();
  void fail(const std::string& side, Verdict verdict, const Sentence& reason);
  bool are_finite(const Extraction& a, const Extraction& b);
  bool add_values(const Extraction& a, const Extraction& b);
  Sentence begin_metrics(const std::vector<Check>& checks);
  void add_losses(const Extraction& a, const Extraction& b);
  void answer();
  bool is_decided() const;
  Sentence progress() const;
  CaseReport report() const;

  const AbCheckout& a_;
  const AbCheckout& b_;
  const AbQuestion& question_;
  AbResult result_;
  std::vector<LaunchRecord> launches_;
  std::array<Extraction, 2> pair_;  // that goes on: of A and of B
  std::optional<CaseReport> failed_;
  std::optional<Extraction> first_a_;
};

}  // namespace gate::app
