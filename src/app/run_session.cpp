#include "app/run_session.h"

#include <algorithm>

#include "gate/app/git.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"

namespace gate::app {

namespace {

bool is_failure(const CaseReport& report) {
  return report.verdict != Verdict::passed && report.verdict != Verdict::skipped &&
         report.verdict != Verdict::not_run;
}

}  // namespace

RunSession::RunSession(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                       store::RunFolder folder, Report report, Machine& machine)
    : suite_(suite),
      options_(options),
      plan_(plan),
      folder_(std::move(folder)),
      report_(std::move(report)),
      machine_(machine),
      started_(machine.now()) {}

Answer<RunSession> RunSession::begin(const Suite& suite, const RunOptions& options, const RunPlan& plan,
                                     const std::string& command, Machine& machine) {
  Result<store::RunFolder> folder = store::RunFolder::create(suite.root, machine.now(), options.out);
  if (!folder) return infra(folder.error());
  Report report = planned_report(suite, options, plan, machine.host, machine.now());
  report.command = command;
  report.run = folder->id();
  RunSession session(suite, options, plan, std::move(*folder), std::move(report), machine);
  if (const Status saved = session.folder_.save(session.report_); !saved) return infra(saved.error());
  machine.sink(RunPlanned{session.report_, session.folder_.path().string()});
  return session;
}

bool RunSession::must_stop() const {
  if (machine_.interrupted && machine_.interrupted()) return true;
  const auto failures = std::count_if(report_.cases.begin(), report_.cases.end(), is_failure);
  return options_.max_failures && failures >= *options_.max_failures;
}

void RunSession::start(const PlannedCase& planned) {
  machine_.sink(CaseStarted{planned.the_case->name, planned.against.reference.last_step});
}

Baseline RunSession::candidate(const PlannedCase& planned, const Launched& launched) const {
  Provenance provenance;
  provenance.gate_version = GATE_VERSION;
  provenance.date = to_iso(machine_.now());
  provenance.host = machine_.host.name;
  provenance.device = planned.placement.platform;
  provenance.device_count = planned.placement.device_count;
  provenance.commit = report_.commit;
  provenance.script_sha256 = planned.script_sha256;
  provenance.run = folder_.id();
  provenance.args = options_.args;
  provenance.set = options_.set;
  provenance.ended_well = ended_well(launched.outcome);
  return make_candidate(planned.the_case->name, planned.placement.platform, launched.extraction,
                        std::move(provenance));
}

void RunSession::keep_series(const PlannedCase& planned, const Launched& launched, CaseReport& report) {
  if (launched.log.empty()) return;
  const fs::Path path = fs::Path(launched.log).parent_path() / "series.json";
  const Status written = fs::write_file(path, schema::write_baseline(candidate(planned, launched)));
  if (!written) return remember(written);
  report.artifacts["series"] = path.string();
}

void RunSession::finish(CaseReport report) {
  const auto same = [&](const CaseReport& c) { return c.name == report.name; };
  const auto place = std::find_if(report_.cases.begin(), report_.cases.end(), same);
  report.args = options_.args;
  *place = report;
  report_.finished = to_iso(machine_.now());
  report_.exit_code = exit_code_of(report_, plan_.named);
  remember(folder_.save_case(report));
  remember(folder_.save(report_));
  machine_.sink(CaseFinished{std::move(report), report_});
}

Answer<Report> RunSession::end() {
  const bool interrupted = machine_.interrupted && machine_.interrupted();
  for (CaseReport& c : report_.cases)
    if (c.verdict == Verdict::not_run)
      c.reason = interrupted ? "not run: interrupted before" : "not run: --max-failures reached";
  report_.finished = to_iso(machine_.now());
  report_.duration = std::chrono::duration_cast<Duration>(machine_.now() - started_);
  report_.exit_code = exit_code_of(report_, plan_.named);
  if (interrupted)
    report_.exit_code = worst_exit_code(std::vector<int>{report_.exit_code, 128 + *machine_.interrupted()});
  remember(folder_.save(report_));
  remember(store::prune_runs(suite_.root, suite_.policy.keep_runs()));
  machine_.sink(RunFinished{report_});
  if (!write_error_.empty() && report_.exit_code == exit_code::ok) return infra(write_error_);
  return report_;
}

void RunSession::remember(const Status& status) {
  if (status || !write_error_.empty()) return;
  write_error_ = status.error().message;
  machine_.sink(Message{"", write_error_});
}

}  // namespace gate::app
