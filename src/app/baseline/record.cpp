#include "app/baseline/recording.h"
#include "gate/app/baseline.h"
#include "gate/base/text.h"
#include "gate/judge/noise.h"

namespace gate::app {

namespace {

// The noise of all cases that were recorded well.
class SuiteNoise {
 public:
  void see(const PlannedCase& planned, const Baseline& candidate, CaseReport& report) {
    const config::Case& spec = *planned.spec;
    const std::vector<judge::Noise> all =
        judge::assess(spec.rules, spec.metrics, with_derived(spec, make_reference(candidate, ""), {}),
                      planned.placement.platform);
    for (Note& note : judge::noise_notes(all)) report.notes.push_back(std::move(note));
    ++cases_;
    if (candidate.runs.size() > 1) ++known_;
    for (const judge::Noise& noise : all) rates_.push_back(noise.rate.value_or(0));
  }

  // Return `70 cases: one false red in two nights`; "" for one case, whose own lines say it.
  std::string text() const {
    if (cases_ < 2) return "";
    const std::string cases = count_of(cases_, "case") + ": ";
    return cases + (known_ == 0 ? "the noise between runs is not known; record --runs 3"
                                : judge::nights_text(judge::any_of(rates_)));
  }

 private:
  std::vector<double> rates_;
  std::int64_t cases_ = 0, known_ = 0;
};

void write_and_tell(const Suite& suite, const Baseline& candidate, CaseReport& report) {
  const Status written = store::write_candidate(suite.layout, candidate);
  if (!written) {
    report.verdict = Verdict::infra;
    report.reason = written.error().message;
    return;
  }
  report.artifacts["candidate"] =
      store::candidate_path(suite.layout, {candidate.platform, report.name}).string();
  if (report.verdict == Verdict::passed)
    report.notes.push_back(plain_note("candidate written; look: gate baseline diff " +
                                      shell_quote(report.name) + "; accept: gate baseline accept " +
                                      shell_quote(report.name) + " --reason \"...\""));
}

}  // namespace

Answer<Report> record(const Suite& suite, const RunOptions& options, Environment& machine) {
  GATE_TRY(RunPlan plan, make_plan(suite, options, machine));
  plan.orphans.clear();
  for (PlannedCase& planned : plan.cases) planned.against = {};
  GATE_TRY(RunSession session, RunSession::create(suite, options, plan, "record", machine));
  GATE_TRY(CaseRunner runner, CaseRunner::open(session));
  const std::string today = to_iso(machine.now()).substr(0, 10);
  SuiteNoise noise;
  const auto record_one = [&](const PlannedCase& planned) {
    Recording recording = record_runs(runner, planned, options.record, today);
    if (recording.candidate.runs.front().series.empty()) return recording.report;
    write_and_tell(suite, recording.candidate, recording.report);
    if (recording.report.verdict == Verdict::passed)
      noise.see(planned, recording.candidate, recording.report);
    return recording.report;
  };
  return runner.run_all(record_one, [&] { return noise.text(); });
}

}  // namespace gate::app
