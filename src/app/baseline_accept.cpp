#include <algorithm>
#include <map>

#include "app/candidate_source.h"
#include "app/run_clocks.h"
#include "gate/app/baseline.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

struct Decision {
  Baseline fresh;
  std::string waited_for;  // the candidate's platform
  std::string previous_sha256;
  std::vector<std::string> lines;
};

bool is_chosen(const std::vector<std::string>& metrics, const std::string& metric) {
  return metrics.empty() || std::any_of(metrics.begin(), metrics.end(),
                                        [&](const std::string& glob) { return glob_match(glob, metric); });
}

Baseline only(Baseline baseline, const std::vector<std::string>& metrics) {
  for (BaselineRun& run : baseline.runs)
    std::erase_if(run.series, [&](const Series& series) { return !is_chosen(metrics, series.metric()); });
  return baseline;
}

// The file in use: the most specific one that the candidate's platform has; for a new baseline the
// candidate's own platform.
Answer<std::string> target_platform(const Suite& suite, const Baseline& candidate, const std::string& to) {
  if (to == "general") return std::string();
  if (to == "platform") return candidate.platform;
  if (!to.empty()) return usage("--to " + to + ": it is general or platform");
  const auto files = store::read_baselines(suite.layout, candidate.case_name, candidate.platform);
  if (files && !files->empty()) return files->front().platform;
  return candidate.platform;
}

Answer<std::optional<store::BaselineFile>> present_file(const Suite& suite, const std::string& case_name,
                                                        const std::string& platform) {
  const auto files = store::read_baselines(suite.layout, case_name, platform);
  if (!files) return usage(files.error());
  for (const store::BaselineFile& file : *files)
    if (file.platform == platform) return std::optional(file);
  return std::optional<store::BaselineFile>();
}

// The candidate's series in place of the present ones of the same metric; the others stay, in their own runs.
void keep_others(Baseline& fresh, const Baseline& present, const std::vector<std::string>& metrics) {
  if (metrics.empty()) return;
  fresh.runs.resize(std::max(fresh.runs.size(), present.runs.size()));
  for (std::size_t i = 0; i < present.runs.size(); ++i)
    for (const Series& series : present.runs[i].series)
      if (!is_chosen(metrics, series.metric())) fresh.runs[i].series.push_back(series);
}

std::string describe(const Refusal& refusal) { return "  " + refusal.name + ": " + refusal.text; }

Answer<std::vector<std::string>> weigh_candidate(const Baseline& candidate, const Baseline* present,
                                                 const AcceptOptions& options) {
  std::vector<std::string> overridden, standing;
  for (const Refusal& refusal : refusals(candidate, present)) {
    const bool despite =
        std::find(options.despite.begin(), options.despite.end(), refusal.name) != options.despite.end();
    (despite ? overridden : standing).push_back(despite ? refusal.name : describe(refusal));
  }
  if (!standing.empty())
    return refused(candidate.case_name + ": refused, and nothing was changed:\n" + join(standing, "\n") +
                   "\nto accept all the same: --despite NAME[,NAME] with the --reason why");
  return overridden;
}

std::vector<std::string> describe(const Baseline& baseline) {
  std::vector<std::string> lines;
  for (const ReferenceSeries& reference : make_reference(baseline, "").series) {
    const Series& series = reference.runs.front();
    const std::size_t runs = reference.runs.size();
    lines.push_back(label(series) + ": " +
                    count_of(static_cast<std::int64_t>(series.size()), to_string(series.numbered())) +
                    (runs > 1 ? " in each of " + std::to_string(runs) + " runs" : ""));
  }
  return lines;
}

Answer<Decision> decide(const Suite& suite, Baseline candidate, const AcceptOptions& options, Moment now) {
  candidate = only(std::move(candidate), options.metrics);
  if (make_reference(candidate, "").series.empty())
    return refused(candidate.case_name + ": nothing to accept: the candidate has no series" +
                   (options.metrics.empty() ? "" : " of " + join(options.metrics, ", ")));
  const Answer<std::string> platform = target_platform(suite, candidate, options.to);
  if (!platform) return tl::unexpected(platform.error());
  const auto present = present_file(suite, candidate.case_name, *platform);
  if (!present) return tl::unexpected(present.error());
  const MetricTable& metrics = suite.policy.metrics();
  const Baseline compared =
      *present ? without_clocks(only((*present)->baseline, options.metrics), metrics) : Baseline{};
  const Answer<std::vector<std::string>> despite =
      weigh_candidate(without_clocks(candidate, metrics), *present ? &compared : nullptr, options);
  if (!despite) return tl::unexpected(despite.error());
  Decision decision{std::move(candidate), {}, *present ? (*present)->sha256 : "", {}};
  decision.waited_for = decision.fresh.platform;
  decision.lines = describe(decision.fresh);
  decision.fresh.platform = *platform;
  if (*present) decision.fresh.accepted = (*present)->baseline.accepted;
  if (*present) keep_others(decision.fresh, (*present)->baseline, options.metrics);
  decision.fresh.accepted.push_back({options.who, to_iso(now), options.reason, decision.fresh.provenance.run,
                                     decision.previous_sha256, *despite, options.metrics});
  return decision;
}

// What has been accepted waits no longer: accepted once more later, it would undo what came after it. A part
// of a candidate leaves the rest waiting.
Status clear_candidate(const Suite& suite, const store::Place& place, const AcceptOptions& options) {
  const bool whole = options.from.empty() && options.metrics.empty();
  return whole ? store::remove_candidate(suite.layout, place) : Status();
}

// A candidate without a platform stays general beside those that `--to platform` sends to theirs.
Answer<void> check_platforms(const std::vector<Baseline>& candidates, const AcceptOptions& options) {
  const auto is_general = [](const Baseline& candidate) { return candidate.platform.empty(); };
  if (options.to != "platform" || !std::ranges::all_of(candidates, is_general)) return {};
  return usage(candidates.front().case_name +
               ": --to platform: the candidate names no platform; import it with --platform");
}

// Of two candidates for one file the later would undo the earlier.
Answer<void> check_places(const std::vector<Decision>& decisions) {
  std::map<store::Place, std::string> taken;
  for (const Decision& decision : decisions) {
    const auto [first, fresh] =
        taken.emplace(store::Place{decision.fresh.platform, decision.fresh.case_name}, decision.waited_for);
    if (!fresh)
      return refused(decision.fresh.case_name + ": refused, and nothing was changed: the candidates for " +
                     platform_name(first->second) + " and " + platform_name(decision.waited_for) +
                     " would both become its " + platform_name(decision.fresh.platform) +
                     " baseline; --to platform gives each its own");
  }
  return {};
}

Answer<std::vector<Decision>> decide_all(const Suite& suite, const std::vector<Baseline>& candidates,
                                         const AcceptOptions& options, Moment now) {
  if (const auto fits = check_platforms(candidates, options); !fits) return tl::unexpected(fits.error());
  std::vector<Decision> decisions;
  for (const Baseline& candidate : candidates) {
    Answer<Decision> decision = decide(suite, candidate, options, now);
    if (!decision) return tl::unexpected(decision.error());
    decisions.push_back(std::move(*decision));
  }
  if (const auto apart = check_places(decisions); !apart) return tl::unexpected(apart.error());
  return decisions;
}

Status check_words(const AcceptOptions& options) {
  if (trim(options.reason).empty())
    return fail("baseline accept: --reason is needed: say why these numbers are right");
  const std::vector<std::string> known = refusal_names();
  for (const std::string& name : options.despite)
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fail("--despite " + name + ": unknown" + did_you_mean(name, known) + " (it is one of " +
                  join(known, ", ") + ")");
  return {};
}

}  // namespace

Answer<std::vector<Accepted>> accept(const Suite& suite, const AcceptOptions& options, Moment now) {
  if (const Status words = check_words(options); !words) return usage(words.error());
  const Answer<std::vector<Baseline>> candidates = read_candidates(suite, options.words, options.from);
  if (!candidates) return tl::unexpected(candidates.error());
  return accept_these(suite, *candidates, options, now);
}

Answer<std::vector<Accepted>> accept_these(const Suite& suite, const std::vector<Baseline>& candidates,
                                           const AcceptOptions& options, Moment now) {
  if (const Status words = check_words(options); !words) return usage(words.error());
  const Answer<std::vector<Decision>> decisions = decide_all(suite, candidates, options, now);
  if (!decisions) return tl::unexpected(decisions.error());
  std::vector<Accepted> accepted;
  for (const Decision& decision : *decisions) {
    const std::string& name = decision.fresh.case_name;
    const Result<std::string> path = store::write_baseline(suite.layout, decision.fresh);
    if (!path) return infra(path.error());
    const Status cleared = clear_candidate(suite, {decision.waited_for, name}, options);
    if (!cleared) return infra(cleared.error());
    accepted.push_back({name, *path, decision.lines});
  }
  return accepted;
}

}  // namespace gate::app
