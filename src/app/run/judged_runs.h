// The runs of one case while a run judges it: each launched, judged alone, and kept in a folder of its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/run/case_runner.h"

namespace gate::app {

// One run of a case, and what is said of it alone.
struct SingleRun {
  LaunchResult launched;
  CaseReport report;
  int number = 1;  // of the launch
};

class CaseRuns {
 public:
  CaseRuns(CaseRunner& runner, const PlannedCase& planned, std::string today)
      : runner_(runner), planned_(planned), today_(std::move(today)) {}

  // Launch the case and judge it alone. A run that ended as infra is launched again, as often as
  // --retry-infra allows for each run: what the host did may go better the next time; what the script did
  // would not.
  SingleRun next();

  // Return the report of all these runs: of the first, with its speed judged by the mean of all. The series
  // beside the first one's log are then those of every run.
  CaseReport pooled(std::vector<SingleRun>& runs);

  RunSession& session() const { return runner_.session(); }
  const PlannedCase& planned() const { return planned_; }
  const RunOptions& options() const { return session().options(); }

 private:
  SingleRun launch_once();
  CaseReport judged(const LaunchResult& launched, std::span<const Extraction* const> further = {}) const;

  CaseRunner& runner_;
  const PlannedCase& planned_;
  std::string today_;
  int launches_ = 0;
};

}  // namespace gate::app
