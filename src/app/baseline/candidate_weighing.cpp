#include "app/baseline/candidate_weighing.h"

#include <algorithm>

#include "app/judging/case_judge.h"
#include "app/series/run_clocks.h"
#include "app/suite/chosen_cases.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

Baseline select_metrics(Baseline baseline, const std::vector<std::string>& metrics) {
  for (BaselineRun& run : baseline.runs)
    std::erase_if(run.series, [&](const Series& series) { return !is_chosen(metrics, series.metric()); });
  return baseline;
}

// Return what the present rules call red, "" where nothing is.
Answer<std::string> red_reason_of(const Accepting& accepting, const Baseline& candidate,
                                  const std::vector<store::BaselineFile>& files) {
  GATE_TRY(const config::Case spec, case_of(accepting.suite, candidate.case_name));
  const CaseReport report =
      judge_candidate(spec, judged_against(files), candidate, to_iso(accepting.now).substr(0, 10));
  const bool is_unclear = std::ranges::any_of(report.checks, [](const Check& check) {
    return check.status == CheckStatus::incomparable || check.status == CheckStatus::undecided;
  });
  const bool is_red =
      report.verdict == Verdict::regressed || (report.verdict == Verdict::unjudged && is_unclear);
  return is_red ? report.reason : "";
}

bool is_bound_to_platform(const Baseline& baseline, const MetricTable& metrics) {
  return std::ranges::any_of(baseline.runs, [&](const BaselineRun& run) {
    return std::ranges::any_of(run.series, [&](const Series& series) {
      const MetricKind kind = metrics.get(series.metric()).kind;
      return kind == MetricKind::speed || kind == MetricKind::memory;
    });
  });
}

// The platform that a general file says its numbers are of. Of those of two it could say neither.
Answer<std::string> platform_of_numbers(const Baseline& candidate, const Baseline* present,
                                        const AcceptOptions& options, const MetricTable& metrics) {
  const std::string before = present != nullptr ? present->platform : "";
  if (candidate.platform.empty() || before.empty() || candidate.platform == before)
    return candidate.platform.empty() ? before : candidate.platform;
  if (options.metrics.empty()) return candidate.platform;
  if (!is_bound_to_platform(candidate, metrics)) return before;
  return refused(candidate.case_name + ": refused, and nothing was changed: its general baseline is of " +
                 before + ", the candidate of " + candidate.platform +
                 "; accept all metrics, or --to platform gives each its own");
}

void add_refusals(const Accepting& accepting, Weighing& weighing) {
  const Baseline& candidate = weighing.candidate;
  const MetricTable& metrics = accepting.suite.policy.metrics();
  Baseline compared;
  if (weighing.file)
    compared = without_clocks(select_metrics(weighing.file->baseline, accepting.options.metrics), metrics);
  weighing.standing = refusals(without_clocks(candidate, metrics), weighing.file ? &compared : nullptr);
  if (!weighing.red.empty() && !accepting.named.contains(candidate.case_name))
    weighing.standing.insert(weighing.standing.begin(), {regressed_refusal, weighing.red});
  std::erase_if(weighing.standing, [&](const Refusal& refusal) {
    const std::vector<std::string>& all = accepting.options.despite;
    const bool is_overridden = std::ranges::find(all, refusal.name) != all.end();
    if (is_overridden) weighing.despite.push_back(refusal.name);
    return is_overridden;
  });
}

}  // namespace

bool is_chosen(const std::vector<std::string>& metrics, const std::string& metric) {
  return metrics.empty() ||
         std::ranges::any_of(metrics, [&](const std::string& glob) { return glob_match(glob, metric); });
}

Answer<Weighing> weigh_candidate(const Accepting& accepting, const Baseline& whole) {
  const AcceptOptions& options = accepting.options;
  const std::string& to = options.to;
  Baseline candidate = select_metrics(whole, options.metrics);
  if (make_reference(candidate, "").series.empty())
    return refused(candidate.case_name + ": nothing to accept: the candidate has no series" +
                   (options.metrics.empty() ? "" : " of " + join(options.metrics, ", ")));
  if (!to.empty() && to != "general" && to != "platform")
    return usage("--to " + to + ": it is general or platform");
  const auto files = store::read_baselines(accepting.suite.layout, candidate.case_name, candidate.platform);
  if (!files) return usage(files.error());
  // The file in use: the most specific one that the candidate's platform has; for a new baseline the
  // candidate's own platform.
  const bool is_new = to == "platform" || files->empty();
  const std::string platform = to == "general" ? "" : is_new ? candidate.platform : files->front().platform;
  GATE_TRY(std::string red, red_reason_of(accepting, candidate, *files));
  Weighing weighing{
      .candidate = std::move(candidate), .platform = platform, .numbers = platform, .red = std::move(red)};
  const auto file = std::ranges::find(*files, platform, &store::BaselineFile::platform);
  if (file != files->end()) weighing.file = *file;
  if (platform.empty()) {
    GATE_TRY(std::string numbers, platform_of_numbers(weighing.candidate, weighing.present(), options,
                                                      accepting.suite.policy.metrics()));
    weighing.numbers = std::move(numbers);
  }
  add_refusals(accepting, weighing);
  return weighing;
}

CaseReport judge_candidate(const config::Case& spec, const JudgedAgainst& against, const Baseline& candidate,
                           const std::string& today) {
  const std::vector<Extraction> runs = as_extractions(candidate, "candidate");
  std::vector<const Extraction*> further;
  for (std::size_t i = 1; i < runs.size(); ++i) further.push_back(&runs[i]);
  return judge_case(spec, against, runs.front(), std::nullopt, candidate.platform, today, {}, further);
}

}  // namespace gate::app
