// The runs of one case while a run judges it: each launched, judged alone, and kept in a folder of its own.
#pragma once

#include <string>
#include <vector>

#include "app/run_session.h"

namespace gate::app {

// One run of a case, and what is said of it alone.
struct SingleRun {
  Launched launched;
  CaseReport report;
  int number = 1;  // of the launch
};

class CaseRuns {
 public:
  CaseRuns(RunSession& session, const PlannedCase& planned, const RunOptions& options, std::string today)
      : session_(session), planned_(planned), options_(options), today_(std::move(today)) {}

  // Launch the case and judge it alone. A run that ended as infra is launched again, as often as
  // --retry-infra allows for each run: what the host did may go better the next time; what the script did
  // would not.
  SingleRun next();

  // Return the report of all these runs: of the first, with its speed judged by the mean of all. The series
  // beside the first one's log are then those of every run.
  CaseReport pooled(std::vector<SingleRun>& runs);

  RunSession& session() { return session_; }
  const PlannedCase& planned() const { return planned_; }
  const RunOptions& options() const { return options_; }

 private:
  SingleRun launch_once();

  RunSession& session_;
  const PlannedCase& planned_;
  const RunOptions& options_;
  std::string today_;
  int launches_ = 0;
};

}  // namespace gate::app
