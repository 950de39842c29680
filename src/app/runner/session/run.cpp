#include "gate/runner/run.h"

#include <algorithm>
#include <iterator>

#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/judging/case_outputs.h"
#include "gate/places/queue.h"
#include "gate/places/run_plan.h"
#include "gate/places/stage_commands.h"
#include "gate/suite/run_history.h"
#include "gate/suite/suite_masker.h"
#include "runner/course/rows.h"
#include "runner/session/case_runner.h"
#include "runner/session/run_again.h"
#include "runner/session/staged_case.h"
#include "runner/session/tasks.h"

namespace gate::app {

namespace {

// Stages share a folder, so a folder that is named is that of one case; hosts behind ssh do not see it.
Answer<void> check_stages(const Suite& suite, const RunOptions& options, const RunPlan& plan) {
  if (options.only && suite.strategy && !suite.strategy->strategy.has_stage(*options.only))
    return usage("--only " + std::string(to_string(*options.only)) + ": strategy " +
                 suite.strategy->strategy.name + " leaves this stage out");
  if (plan.is_rehearsal() && (options.only || !options.stages_folder.empty()))
    return usage(
        "a rehearsal leaves nothing that another stage goes on with: leave --only and --stages-folder out");
  std::vector<const PlannedCase*> staged;
  for (const PlannedCase& planned : plan.cases)
    if (has_stages(*planned.spec)) staged.push_back(&planned);
  for (const PlannedCase* planned : staged)
    if (planned->placement.kind == Placement::Kind::run &&
        std::ranges::any_of(planned->place.hosts, [](int number) { return number != 0; }))
      return usage(
          planned->spec->name +
          ": its stages share a folder, which a host behind ssh does not see; start gate there, with "
          "--only STAGE for each pod, or name an engine by backend");
  if (options.stages_folder.empty() || (staged.size() == 1 && plan.cases.size() == 1)) return {};
  return usage("--stages-folder is the folder of one case with stages; " +
               count_of(std::ssize(plan.cases), "case") + " would run, " + std::to_string(staged.size()) +
               " of them with stages");
}

// A case that this host is to run does not start where something that it needs is not there, unless what goes
// before it makes that: its stages, its predecessors.
void look_at_needs(PlannedCase& planned, Environment& environment) {
  const config::Case& spec = *planned.spec;
  const bool is_here = planned.place.reserves &&
                       std::ranges::all_of(planned.place.hosts, [](int number) { return number == 0; });
  if (planned.placement.kind != Placement::Kind::run || !is_here || has_stages(spec) ||
      !predecessors_of(spec).empty())
    return;
  const auto lacking = lacking_on(environment.host, planned, environment.cut());
  if (lacking && lacking->empty()) return;
  planned.placement.kind = Placement::Kind::infra;
  planned.placement.reason = lacking ? *lacking : Sentence(lacking.error().message);
}

// Nor does one whose golden files are not there: nothing would judge what it leaves.
void look_at_golden(RunPlan& plan, const Suite& suite, const RunOptions& options) {
  if (options.only) return;
  for (PlannedCase& planned : plan.cases) {
    if (planned.placement.kind != Placement::Kind::run) continue;
    std::vector<Sentence> lacking = lacking_golden(suite, *planned.spec);
    if (lacking.empty()) continue;
    planned.placement.kind = Placement::Kind::unjudged;
    planned.placement.reason = join(lacking, semicolon);
  }
}

}  // namespace

Answer<Report> run(const Suite& suite, const RunOptions& asked, Environment& environment,
                   const Telling& tell) {
  GATE_TRY(const RunOptions options, with_earlier_run(suite, asked));
  GATE_TRY(RunPlan plan, make_plan(suite, options, environment));
  look_at_golden(plan, suite, options);
  GATE_TRY_STATUS(check_rest(suite, options, plan));
  GATE_TRY_STATUS(check_stages(suite, options, plan));
  GATE_TRY(RunSession session, RunSession::create(suite, options, plan, "run", environment));
  GATE_TRY(CaseRunner runner, CaseRunner::open(session));
  const std::string today = to_iso(environment.now()).substr(0, 10);
  const auto run_case = [&](const PlannedCase& planned, const PastLaunches& past) {
    const std::unique_ptr<CourseRow> row = judging_row(planned, options, today);
    const auto follow = [&](CourseRow& through) {
      Course course(through, options.retry_infra, past);
      return runner.follow(course);
    };
    return has_stages(*planned.spec) ? run_stages(session, planned, today, *row, follow) : follow(*row);
  };
  GATE_TRY(Report report, runner.run_all(run_case));
  if (tell) report.exit_code = tell(report);
  session.close(report.exit_code);
  return report;
}

Answer<Report> plan(const Suite& suite, const RunOptions& asked, Environment& environment) {
  GATE_TRY(const RunOptions options, with_earlier_run(suite, asked));
  GATE_TRY(RunPlan made, make_plan(suite, options, environment, Sending::no));
  look_at_golden(made, suite, options);
  for (PlannedCase& planned : made.cases) look_at_needs(planned, environment);
  Report report = planned_report(suite, options, made, environment.host.facts(), environment.now());
  report.command = "plan";
  report.timeline = timeline(made, RunHistory::open(suite, RunHistory::Missing::left), options.jobs);
  std::ranges::copy(notes_on_logs(made), std::back_inserter(report.notes));
  for (const PlannedCase& planned : made.cases)
    if (planned.placement.kind == Placement::Kind::run)
      std::ranges::lower_bound(report.cases, planned.spec->name, natural_less, &CaseReport::name)->job =
          planned_job(suite, planned, options);
  Report passed = report;  // what would run is no failure of the plan
  for (CaseReport& c : passed.cases)
    if (c.verdict == Verdict::not_run) c.verdict = Verdict::passed;
  report.exit_code = exit_code_of(passed, made.named);
  mask(report, masker_for(suite));
  return report;
}

}  // namespace gate::app
