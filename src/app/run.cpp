#include "gate/app/run.h"

#include <algorithm>

#include "app/case_run.h"
#include "app/run_plan.h"
#include "app/run_session.h"
#include "gate/app/read_logs.h"

namespace gate::app {

namespace {

CaseReport judge_launched(const PlannedCase& planned, const Launched& launched, const std::string& today) {
  CaseReport report = judge_case(*planned.the_case, planned.against, launched.extraction, launched.outcome,
                                 planned.placement.platform, today);
  add_launch(report, planned, launched);
  return report;
}

}  // namespace

Answer<Report> run(const Suite& suite, const RunOptions& options, Machine& machine) {
  const Answer<RunPlan> plan = make_plan(suite, options, machine.host);
  if (!plan) return tl::unexpected(plan.error());
  Answer<RunSession> session = RunSession::begin(suite, options, *plan, "run", machine);
  if (!session) return tl::unexpected(session.error());
  for (const PlannedCase& planned : plan->cases) {
    if (planned.placement.kind != Placement::Kind::run || session->must_stop()) continue;
    session->start(planned);
    const Launched launched =
        launch_case(suite, planned, options, session->folder(), Purpose::judging, machine);
    CaseReport report = judge_launched(planned, launched, to_iso(machine.now()).substr(0, 10));
    session->keep_series(planned, launched, report);
    session->finish(std::move(report));
  }
  return session->end();
}

Answer<Report> plan(const Suite& suite, const RunOptions& options, Machine& machine) {
  const Answer<RunPlan> made = make_plan(suite, options, machine.host);
  if (!made) return tl::unexpected(made.error());
  Report report = planned_report(suite, options, *made, machine.host, machine.now());
  report.command = "plan";
  return report;
}

}  // namespace gate::app
