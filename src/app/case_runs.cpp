#include "app/case_runs.h"

#include "gate/app/read_logs.h"

namespace gate::app {

SingleRun CaseRuns::launch_once() {
  SingleRun run;
  run.number = ++launches_;
  run.launched =
      session_.launch(planned_, options_.confirm > 1 ? Purpose::confirming : Purpose::judging, run.number);
  run.report = judge_case(*planned_.the_case, planned_.against, run.launched.extraction, run.launched.outcome,
                          planned_.placement.platform, today_, session_.partners(planned_));
  session_.keep_series(session_.candidate(planned_, run.launched), run.launched);
  add_launch(run.report, planned_, run.launched);
  return run;
}

SingleRun CaseRuns::next() {
  const int retries = options_.retry_infra;
  std::vector<std::string> notes;
  for (int number = 1;; ++number) {
    SingleRun run = launch_once();
    if (run.report.verdict != Verdict::infra || number > retries || session_.must_stop()) {
      for (const std::string& note : notes) run.report.notes.push_back(plain_note(note));
      return run;
    }
    notes.push_back("try " + std::to_string(number) + " was infra: " + run.report.reason);
    session_.tell(planned_.the_case->name, "infra: " + run.report.reason + "; trying again (" +
                                               std::to_string(number) + " of " + std::to_string(retries) +
                                               ")");
  }
}

CaseReport CaseRuns::pooled(std::vector<SingleRun>& runs) {
  SingleRun& first = runs.front();
  std::vector<const Extraction*> further;
  Baseline all = session_.candidate(planned_, first.launched);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    further.push_back(&runs[i].launched.extraction);
    add_runs(all, session_.candidate(planned_, runs[i].launched));
  }
  CaseReport report =
      judge_case(*planned_.the_case, planned_.against, first.launched.extraction, first.launched.outcome,
                 planned_.placement.platform, today_, session_.partners(planned_), further);
  session_.keep_series(all, first.launched);
  add_launch(report, planned_, first.launched);
  return report;
}

}  // namespace gate::app
