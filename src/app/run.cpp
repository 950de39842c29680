#include "gate/app/run.h"

#include "app/case_run.h"
#include "app/run_again.h"
#include "app/run_plan.h"
#include "app/run_session.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

CaseReport run_once(RunSession& session, const PlannedCase& planned, int number, const std::string& today) {
  const Launched launched = session.launch(planned, Purpose::judging, number);
  CaseReport report = judge_case(*planned.the_case, planned.against, launched.extraction, launched.outcome,
                                 planned.placement.platform, today, session.partners(planned));
  add_launch(report, planned, launched);
  session.keep_series(planned, launched, report);
  return report;
}

// What the host did may go better the next time; what the script did would not.
CaseReport run_case(RunSession& session, const PlannedCase& planned, int retries, const std::string& today) {
  std::vector<std::string> notes;
  for (int number = 1;; ++number) {
    CaseReport report = run_once(session, planned, number, today);
    if (report.verdict != Verdict::infra || number > retries || session.must_stop()) {
      report.notes.insert(report.notes.end(), notes.begin(), notes.end());
      return report;
    }
    notes.push_back("try " + std::to_string(number) + " was infra: " + report.reason);
    session.tell(planned.the_case->name, "infra: " + report.reason + "; trying again (" +
                                             std::to_string(number) + " of " + std::to_string(retries) + ")");
  }
}

// What the plan itself is worth: what would run is no failure of it.
int exit_code_as_if_passed(Report report, const std::vector<std::string>& named) {
  for (CaseReport& c : report.cases)
    if (c.verdict == Verdict::not_run) c.verdict = Verdict::passed;
  return exit_code_of(report, named);
}

}  // namespace

Answer<Report> run(const Suite& suite, const RunOptions& asked, Machine& machine) {
  const Answer<RunOptions> options = with_earlier_run(suite, asked);
  if (!options) return tl::unexpected(options.error());
  const Answer<RunPlan> plan = make_plan(suite, *options, machine.host);
  if (!plan) return tl::unexpected(plan.error());
  Answer<RunSession> session = RunSession::begin(suite, *options, *plan, "run", machine);
  if (!session) return tl::unexpected(session.error());
  const std::string today = to_iso(machine.now()).substr(0, 10);
  return session->run_all(
      [&](const PlannedCase& planned) { return run_case(*session, planned, options->retry_infra, today); });
}

Answer<Report> plan(const Suite& suite, const RunOptions& asked, Machine& machine) {
  const Answer<RunOptions> options = with_earlier_run(suite, asked);
  if (!options) return tl::unexpected(options.error());
  const Answer<RunPlan> made = make_plan(suite, *options, machine.host);
  if (!made) return tl::unexpected(made.error());
  Report report = planned_report(suite, *options, *made, machine.host, machine.now());
  report.command = "plan";
  report.exit_code = exit_code_as_if_passed(report, made->named);
  return report;
}

}  // namespace gate::app
