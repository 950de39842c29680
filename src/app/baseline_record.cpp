#include "app/case_run.h"
#include "app/run_plan.h"
#include "app/run_session.h"
#include "gate/app/baseline.h"

namespace gate::app {

namespace {

// A recording is good where the script ended well and printed the steps that it announced; nothing is
// compared.
CaseReport recorded_report(const PlannedCase& planned, const Launched& launched, const std::string& today) {
  config::Case bare = *planned.the_case;
  bare.rules.clear();
  bare.derivations.clear();
  CaseReport report =
      judge_case(bare, {}, launched.extraction, launched.outcome, planned.placement.platform, today);
  const bool reached = !report.total || report.steps >= *report.total;
  if (report.verdict == Verdict::unjudged && !launched.extraction.series.empty() && reached)
    report.verdict = Verdict::passed;
  report.ungated.clear();
  add_launch(report, planned, launched);
  return report;
}

void write_and_tell(const Suite& suite, const Baseline& candidate, CaseReport& report) {
  const Status written = store::write_candidate(suite.root, candidate);
  if (!written) {
    report.verdict = Verdict::infra;
    report.reason = written.error().message;
    return;
  }
  report.artifacts["candidate"] = store::candidate_path(suite.root, report.name).string();
  if (report.verdict == Verdict::passed)
    report.notes.push_back("candidate written; look: gate baseline diff " + report.name +
                           "; accept: gate baseline accept " + report.name + " --reason \"...\"");
}

}  // namespace

Answer<Report> record(const Suite& suite, const RunOptions& options, Machine& machine) {
  Answer<RunPlan> plan = make_plan(suite, options, machine.host);
  if (!plan) return tl::unexpected(plan.error());
  plan->orphans.clear();
  for (PlannedCase& planned : plan->cases) planned.against = {};
  Answer<RunSession> session = RunSession::begin(suite, options, *plan, "record", machine);
  if (!session) return tl::unexpected(session.error());
  const std::string today = to_iso(machine.now()).substr(0, 10);
  return session->run_all([&](const PlannedCase& planned) {
    const Launched launched = session->launch(planned, Purpose::recording);
    CaseReport report = recorded_report(planned, launched, today);
    session->keep_series(planned, launched, report);
    if (!launched.extraction.series.empty())
      write_and_tell(suite, session->candidate(planned, launched), report);
    return report;
  });
}

}  // namespace gate::app
