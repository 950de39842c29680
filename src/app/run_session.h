// The bookkeeping of a run: its folder, its report as it grows, events to the sink. Whatever happens later,
// what has been finished is on disk.
#pragma once

#include <string>

#include "app/case_run.h"
#include "app/run_plan.h"

namespace gate::app {

class RunSession {
 public:
  // Create the run folder, write the report in which nothing has run, and tell the sink.
  static Answer<RunSession> begin(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                                  const std::string& command, Machine& machine);

  const store::RunFolder& folder() const { return folder_; }

  // Tell whether no further case may start: interrupted, or --max-failures reached.
  bool must_stop() const;

  void start(const PlannedCase& planned);

  // Write the measured series beside the log as a candidate, from which `accept --from` can take it.
  void keep_series(const PlannedCase& planned, const Launched& launched, CaseReport& report);

  // Return the candidate that the launch makes, with its provenance.
  Baseline candidate(const PlannedCase& planned, const Launched& launched) const;

  // Put the case's report in its place, write both reports, tell the sink.
  void finish(CaseReport report);

  // Write the final report and tell the sink. A report that could not be written is a failure of gate (125).
  Answer<Report> end();

 private:
  RunSession(const Suite& suite, const RunOptions& options, const RunPlan& plan, store::RunFolder folder,
             Report report, Machine& machine);
  void remember(const Status& status);

  const Suite& suite_;
  const RunOptions& options_;
  const RunPlan& plan_;
  store::RunFolder folder_;
  Report report_;
  Machine& machine_;
  Moment started_;
  std::string write_error_;
};

}  // namespace gate::app
