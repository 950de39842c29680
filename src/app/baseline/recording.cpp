#include "app/baseline/recording.h"

#include <algorithm>
#include <array>

#include "app/run/run_candidate.h"
#include "app/series/run_clocks.h"
#include "gate/app/baseline.h"
#include "gate/app/read_logs.h"

namespace gate::app {

namespace {

// A recording is good where the script ended well and printed the steps that it announced; nothing is
// compared.
CaseReport recorded_report(const PlannedCase& planned, const LaunchResult& launched,
                           const std::string& today) {
  config::Case bare = *planned.spec;
  bare.rules.clear();
  bare.derivations.clear();
  bare.settings.profile = "gate";
  bare.settings.shadow.clear();
  CaseReport report =
      judge_case(bare, {}, launched.extraction, launched.outcome, planned.placement.platform, today);
  const bool reached = !report.total || report.steps >= *report.total;
  if (report.verdict == Verdict::unjudged && !launched.extraction.series.empty() && reached)
    report.verdict = Verdict::passed;
  report.ungated.clear();
  add_launch(report, planned, launched);
  return report;
}

// Takes what `accept` would refuse of the candidate for a bad recording.
void weigh_recording(CaseReport& report, const Baseline& candidate, const MetricTable& metrics) {
  constexpr std::array flaws{"missing", "short", "non_finite"};
  if (report.verdict != Verdict::passed) return;
  for (const Refusal& refusal : refusals(without_clocks(candidate, metrics), nullptr)) {
    if (std::find(flaws.begin(), flaws.end(), refusal.name) == flaws.end()) continue;
    report.verdict = Verdict::unjudged;
    report.reason = refusal.name + ": " + refusal.text;
    return;
  }
}

// Readings of the devices, many as they are, are kept in a baseline only where a rule asks for them.
Baseline without_idle_readings(Baseline candidate, const config::Case& spec) {
  const auto is_asked_for = [&](const Series& series) {
    return std::any_of(spec.rules.begin(), spec.rules.end(),
                       [&](const Rule& rule) { return rule.metric == series.metric(); });
  };
  for (BaselineRun& run : candidate.runs)
    std::erase_if(run.series, [&](const Series& series) {
      return series.numbered() == Numbering::time && !is_asked_for(series);
    });
  return candidate;
}

CaseReport take_run(RunSession& session, const PlannedCase& planned, LaunchResult& launched,
                    const std::string& today, Baseline& candidate) {
  Baseline own = candidate_of(session.context(), planned, launched);
  session.remember(keep_series(own, launched));
  CaseReport report = recorded_report(planned, launched, today);
  own = without_idle_readings(std::move(own), *planned.spec);
  candidate.runs.empty() ? void(candidate = std::move(own)) : add_runs(candidate, std::move(own));
  return report;
}

std::string which(std::size_t number, int wanted) {
  return wanted == 1 ? "" : "run " + std::to_string(number) + " of " + std::to_string(wanted) + ": ";
}

}  // namespace

Recording record_runs(CaseRunner& runner, const PlannedCase& planned, int wanted, const std::string& today) {
  RunSession& session = runner.session();
  Recording recording;
  CaseReport& report = recording.report;
  std::vector<LaunchResult> runs;
  do {
    runs.push_back(runner.launch(planned, Purpose::recording, static_cast<int>(runs.size()) + 1));
    report = take_run(session, planned, runs.back(), today, recording.candidate);
  } while (report.verdict == Verdict::passed && static_cast<int>(runs.size()) < wanted &&
           !session.must_stop());
  if (report.verdict == Verdict::passed && static_cast<int>(runs.size()) < wanted) {
    report.verdict = Verdict::not_run;
    report.reason = "no further run could start";
  }
  if (report.verdict != Verdict::passed) report.reason = which(runs.size(), wanted) + report.reason;
  weigh_recording(report, recording.candidate, planned.spec->metrics);
  for (std::size_t i = 0; i + 1 < runs.size(); ++i)
    add_other_launch(report, planned, runs[i], static_cast<int>(i) + 1);
  if (runs.size() > 1) session.remember(keep_series(recording.candidate, runs.front()));
  return recording;
}

}  // namespace gate::app
