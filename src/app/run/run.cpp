#include "gate/app/run.h"

#include "app/results/run_history.h"
#include "app/run/confirm.h"
#include "app/run/judged_runs.h"
#include "app/run/masking.h"
#include "app/run/run_again.h"
#include "app/run/run_plan.h"
#include "app/run/tasks.h"

namespace gate::app {

namespace {

// A case judged: its first run, and where only its speed fails there, by --confirm further ones.
CaseReport judge_runs(CaseRuns runs) {
  SingleRun first = runs.next();
  const bool again = runs.options().confirm > 1 && only_speed_failed(first, runs.planned().spec->metrics);
  return again ? confirm(runs, std::move(first)) : std::move(first.report);
}

// What the plan itself is worth: what would run is no failure of it.
int exit_code_as_if_passed(Report report, const std::vector<std::string>& named) {
  for (CaseReport& c : report.cases)
    if (c.verdict == Verdict::not_run) c.verdict = Verdict::passed;
  return exit_code_of(report, named);
}

}  // namespace

Answer<Report> run(const Suite& suite, const RunOptions& asked, Environment& machine) {
  GATE_TRY(const RunOptions options, with_earlier_run(suite, asked));
  GATE_TRY(const RunPlan plan, make_plan(suite, options, machine));
  if (const Answer<void> rest = check_rest(suite, options, plan); !rest) return tl::unexpected(rest.error());
  GATE_TRY(RunSession session, RunSession::create(suite, options, plan, "run", machine));
  GATE_TRY(CaseRunner runner, CaseRunner::open(session));
  const std::string today = to_iso(machine.now()).substr(0, 10);
  return runner.run_all(
      [&](const PlannedCase& planned) { return judge_runs(CaseRuns(runner, planned, today)); });
}

Answer<Report> plan(const Suite& suite, const RunOptions& asked, Environment& machine) {
  GATE_TRY(const RunOptions options, with_earlier_run(suite, asked));
  GATE_TRY(const RunPlan made, make_plan(suite, options, machine));
  Report report = planned_report(suite, options, made, machine.host.facts(), machine.now());
  report.command = "plan";
  report.timeline =
      timeline(made, suite.cwd, RunHistory::open(suite, RunHistory::Missing::left), options.jobs);
  report.notes = notes_on_logs(made, suite.cwd);
  report.exit_code = exit_code_as_if_passed(report, made.named);
  mask(report, masker_for(suite));
  return report;
}

void correct_exit_code(const Suite& suite, const Report& report, int exit_code) {
  Result<Report> stored = store::read_run(suite.root, report.run);
  if (!stored) return;
  stored->exit_code = exit_code;
  if (const auto folder = store::RunFolder::reopen(suite.root, report.run, now())) [[maybe_unused]]
    const Status saved = folder->save(*stored);
}

}  // namespace gate::app
