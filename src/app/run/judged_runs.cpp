#include "app/run/judged_runs.h"

#include "app/run/run_candidate.h"
#include "gate/app/read_logs.h"

namespace gate::app {

CaseReport CaseRuns::judged(const LaunchResult& launched, std::span<const Extraction* const> further) const {
  return judge_case(*planned_.spec, planned_.against, launched.extraction, launched.outcome,
                    planned_.placement.platform, today_, runner_.partners(planned_), further);
}

SingleRun CaseRuns::launch_once() {
  const Purpose purpose = options().confirm > 1 ? Purpose::confirming : Purpose::judging;
  SingleRun run;
  run.number = ++launches_;
  run.launched = runner_.launch(planned_, purpose, run.number);
  run.report = judged(run.launched);
  session().remember(keep_series(candidate_of(session().context(), planned_, run.launched), run.launched));
  add_launch(run.report, planned_, run.launched);
  return run;
}

SingleRun CaseRuns::next() {
  const int retries = options().retry_infra;
  std::vector<std::string> notes;
  for (int number = 1;; ++number) {
    SingleRun run = launch_once();
    if (run.report.verdict != Verdict::infra || number > retries || session().must_stop()) {
      for (const std::string& note : notes) run.report.notes.push_back(plain_note(note));
      return run;
    }
    notes.push_back("try " + std::to_string(number) + " was infra: " + run.report.reason);
    session().tell(planned_.spec->name, "infra: " + run.report.reason + "; trying again (" +
                                            std::to_string(number) + " of " + std::to_string(retries) + ")");
  }
}

CaseReport CaseRuns::pooled(std::vector<SingleRun>& runs) {
  SingleRun& first = runs.front();
  const LaunchContext context = session().context();
  std::vector<const Extraction*> further;
  Baseline all = candidate_of(context, planned_, first.launched);
  for (std::size_t i = 1; i < runs.size(); ++i) {
    further.push_back(&runs[i].launched.extraction);
    add_runs(all, candidate_of(context, planned_, runs[i].launched));
  }
  CaseReport report = judged(first.launched, further);
  session().remember(keep_series(all, first.launched));
  add_launch(report, planned_, first.launched);
  return report;
}

}  // namespace gate::app
