#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "app/run/case_runner.h"
#include "app/run/run_candidate.h"
#include "app/series/run_clocks.h"
#include "gate/app/baseline.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/judge/noise.h"

namespace gate::app {

namespace {

// One case recorded: its runs into one candidate, good only where each of them is.
struct Recording {
  Baseline candidate;  // one run for each launch; without series where nothing was measured
  CaseReport report;   // of the last run; passed where the recording is good
};

// Takes what `accept` would refuse of the candidate for a bad recording.
void weigh_recording(CaseReport& report, const Baseline& candidate, const MetricTable& metrics) {
  constexpr std::array flaws{"missing", "short", "non_finite"};
  if (report.verdict != Verdict::passed) return;
  for (const Refusal& refusal : refusals(without_clocks(candidate, metrics), nullptr)) {
    if (std::ranges::find(flaws, refusal.name) == flaws.end()) continue;
    report.verdict = Verdict::unjudged;
    report.reason = refusal.name + ": " + refusal.text;
    return;
  }
}

// Readings of the devices, many as they are, are kept in a baseline only where a rule asks for them.
Baseline without_idle_readings(Baseline candidate, const config::Case& spec) {
  for (BaselineRun& run : candidate.runs)
    std::erase_if(run.series, [&](const Series& series) {
      return series.numbered() == Numbering::time &&
             std::ranges::find(spec.rules, series.metric(), &Rule::metric) == spec.rules.end();
    });
  return candidate;
}

// Keep the series of the run, add them to the candidate, and return what there is to say of the run.
CaseReport add_run(RunSession& session, const PlannedCase& planned, LaunchResult& launched,
                   const std::string& today, Baseline& candidate) {
  Baseline own = candidate_of(planned, launched);
  session.remember(keep_series(own, launched));
  CaseReport report =
      measured_case(*planned.spec, launched.extraction, launched.outcome, planned.placement.platform, today);
  report.environment = planned.against.environment;
  report.add(launched);
  own = without_idle_readings(std::move(own), *planned.spec);
  if (candidate.runs.empty())
    candidate = std::move(own);
  else
    add_runs(candidate, std::move(own));
  return report;
}

// Launch the case `wanted` times. A run that did not end well, or did not print the steps that it announced,
// ends it. Values that are no numbers in any run, and runs that do not hold the same series and steps, make
// it bad as well. Logs and series of each are kept; with several runs the series beside the first log are
// those of all.
Recording record_runs(CaseRunner& runner, const PlannedCase& planned, int wanted, const std::string& today) {
  RunSession& session = runner.session();
  Recording recording;
  CaseReport& report = recording.report;
  std::vector<LaunchResult> runs;
  do {
    runs.push_back(runner.launch(planned, Purpose::recording, static_cast<int>(runs.size()) + 1));
    report = add_run(session, planned, runs.back(), today, recording.candidate);
  } while (report.verdict == Verdict::passed && static_cast<int>(runs.size()) < wanted &&
           !session.must_stop());
  if (report.verdict == Verdict::passed && static_cast<int>(runs.size()) < wanted) {
    report.verdict = Verdict::not_run;
    report.reason = "no further run could start";
  }
  if (report.verdict != Verdict::passed && wanted != 1)
    report.reason = fmt::format("run {} of {}: {}", runs.size(), wanted, report.reason);
  weigh_recording(report, recording.candidate, planned.spec->metrics);
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) report.add(runs[i], std::to_string(i + 1));
  if (runs.size() > 1) session.remember(keep_series(recording.candidate, runs.front()));
  return recording;
}

// The noise of all cases that were recorded well.
class SuiteNoise {
 public:
  // Count the case, and put what its noise means into the report.
  void add(const PlannedCase& planned, const Baseline& candidate, CaseReport& report) {
    const config::Case& spec = *planned.spec;
    const std::vector<judge::Noise> all =
        judge::assess(spec.rules, spec.metrics,
                      with_derived(spec, make_reference(candidate, ""), planned.placement.platform, {}),
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
  report.artifacts["candidate"] = store::candidate_path(suite.layout, store::place_of(candidate)).string();
  if (report.verdict == Verdict::passed)
    report.notes.push_back(plain_note("candidate written; look: gate baseline diff " +
                                      shell_quote(report.name) + "; accept: gate baseline accept " +
                                      shell_quote(report.name) + " --reason \"...\""));
}

}  // namespace

Answer<Report> record(const Suite& suite, const RunOptions& options, Environment& environment) {
  GATE_TRY(RunPlan plan, make_plan(suite, options, environment, Sending::yes, Bonds::after));
  if (plan.is_rehearsal())
    return refused("a rehearsal makes no baseline: leave " + suite.rehearsal->origin +
                   " out, or name --platform cpu");
  plan.orphans.clear();
  JudgedAgainst nothing;
  nothing.environment = suite.environment;
  for (PlannedCase& planned : plan.cases) planned.against = nothing;
  GATE_TRY(RunSession session, RunSession::create(suite, options, plan, "record", environment));
  GATE_TRY(CaseRunner runner, CaseRunner::open(session));
  const std::string today = to_iso(environment.now()).substr(0, 10);
  SuiteNoise noise;
  const auto record_one = [&](const PlannedCase& planned) {
    const int wanted = planned.is_taken_along ? 1 : options.record;
    Recording recording = record_runs(runner, planned, wanted, today);
    if (planned.is_taken_along || recording.candidate.runs.front().series.empty()) return recording.report;
    write_and_tell(suite, recording.candidate, recording.report);
    if (recording.report.verdict == Verdict::passed)
      noise.add(planned, recording.candidate, recording.report);
    return recording.report;
  };
  return runner.run_all(record_one, [&] { return noise.text(); });
}

}  // namespace gate::app
