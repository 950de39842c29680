#include "app/baseline/candidate_weighing.h"

#include <algorithm>

#include "app/baseline/candidate_judge.h"
#include "app/judging/case_judge.h"
#include "app/series/run_clocks.h"
#include "app/suite/chosen_cases.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

using Files = std::vector<store::BaselineFile>;

Baseline only(Baseline baseline, const std::vector<std::string>& metrics) {
  for (BaselineRun& run : baseline.runs)
    std::erase_if(run.series, [&](const Series& series) { return !is_chosen(metrics, series.metric()); });
  return baseline;
}

// The file in use: the most specific one that the candidate's platform has; for a new baseline the
// candidate's own platform.
std::string target_platform(const Files& files, const Baseline& candidate, const std::string& to) {
  if (to == "general") return "";
  if (to == "platform" || files.empty()) return candidate.platform;
  return files.front().platform;
}

std::optional<store::BaselineFile> file_of(const Files& files, const std::string& platform) {
  const auto file = std::ranges::find(files, platform, &store::BaselineFile::platform);
  return file == files.end() ? std::nullopt : std::optional(*file);
}

// Return what the present rules call red, "" where nothing is.
Answer<std::string> red(const Accepting& accepting, const Baseline& candidate, const Files& files) {
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
    compared = without_clocks(only(weighing.file->baseline, accepting.options.metrics), metrics);
  weighing.standing = refusals(without_clocks(candidate, metrics), weighing.file ? &compared : nullptr);
  if (!weighing.red.empty() && !accepting.named.contains(candidate.case_name))
    weighing.standing.insert(weighing.standing.begin(), {regressed_refusal, weighing.red});
  std::erase_if(weighing.standing, [&](const Refusal& refusal) {
    const std::vector<std::string>& all = accepting.options.despite;
    const bool overridden = std::ranges::find(all, refusal.name) != all.end();
    if (overridden) weighing.despite.push_back(refusal.name);
    return overridden;
  });
}

}  // namespace

bool is_chosen(const std::vector<std::string>& metrics, const std::string& metric) {
  return metrics.empty() || std::any_of(metrics.begin(), metrics.end(),
                                        [&](const std::string& glob) { return glob_match(glob, metric); });
}

Answer<Weighing> weigh_candidate(const Accepting& accepting, const Baseline& whole) {
  const AcceptOptions& options = accepting.options;
  const std::string& to = options.to;
  Baseline candidate = only(whole, options.metrics);
  if (make_reference(candidate, "").series.empty())
    return refused(candidate.case_name + ": nothing to accept: the candidate has no series" +
                   (options.metrics.empty() ? "" : " of " + join(options.metrics, ", ")));
  if (!to.empty() && to != "general" && to != "platform")
    return usage("--to " + to + ": it is general or platform");
  const auto files = store::read_baselines(accepting.suite.layout, candidate.case_name, candidate.platform);
  if (!files) return usage(files.error());
  const std::string platform = target_platform(*files, candidate, to);
  GATE_TRY(std::string found, red(accepting, candidate, *files));
  Weighing weighing{
      std::move(candidate), platform, file_of(*files, platform), platform, std::move(found), {}, {}};
  if (platform.empty()) {
    GATE_TRY(std::string numbers, platform_of_numbers(weighing.candidate, weighing.present(), options,
                                                      accepting.suite.policy.metrics()));
    weighing.numbers = std::move(numbers);
  }
  add_refusals(accepting, weighing);
  return weighing;
}

}  // namespace gate::app
