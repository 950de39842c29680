#include <algorithm>
#include <map>
#include <set>
#include <variant>

#include "app/candidate_judge.h"
#include "app/candidate_source.h"
#include "app/chosen_cases.h"
#include "app/run_clocks.h"
#include "gate/app/baseline.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

struct Decision {
  Baseline fresh;
  std::string platform;    // of the place where it goes; "": general
  std::string waited_for;  // the candidate's platform
  std::vector<std::string> lines;
};

// Why a candidate does not become the baseline.
struct Withheld {
  std::string case_name;
  std::vector<Refusal> refusals;
};

// A decision, or why there is none; a Failure where it cannot be told.
using Weighed = Answer<std::variant<Decision, Withheld>>;

// What accepting has to do with.
struct Accepting {
  const Suite& suite;
  const AcceptOptions& options;
  std::set<std::string> named;  // exactly
  Moment now;
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

// Return what the present rules call red, "" where nothing is.
Answer<std::string> red(const Accepting& accepting, const Baseline& candidate) {
  const auto files = store::read_baselines(accepting.suite.layout, candidate.case_name, candidate.platform);
  if (!files) return usage(files.error());
  const Answer<config::Case> the_case = case_of(accepting.suite, candidate.case_name);
  if (!the_case) return tl::unexpected(the_case.error());
  const CaseReport report =
      judge_candidate(*the_case, judged_against(*files), candidate, to_iso(accepting.now).substr(0, 10));
  return report.verdict == Verdict::regressed ? report.reason : "";
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

Weighed decide(const Accepting& accepting, Baseline candidate) {
  const AcceptOptions& options = accepting.options;
  candidate = only(std::move(candidate), options.metrics);
  if (make_reference(candidate, "").series.empty())
    return refused(candidate.case_name + ": nothing to accept: the candidate has no series" +
                   (options.metrics.empty() ? "" : " of " + join(options.metrics, ", ")));
  const Answer<std::string> platform = target_platform(accepting.suite, candidate, options.to);
  if (!platform) return tl::unexpected(platform.error());
  const auto file = present_file(accepting.suite, candidate.case_name, *platform);
  if (!file) return tl::unexpected(file.error());
  const Baseline* present = *file ? &(*file)->baseline : nullptr;
  const MetricTable& metrics = accepting.suite.policy.metrics();
  const Answer<std::string> numbers =
      platform->empty() ? platform_of_numbers(candidate, present, options, metrics) : *platform;
  if (!numbers) return tl::unexpected(numbers.error());
  const Answer<std::string> regression = red(accepting, candidate);
  if (!regression) return tl::unexpected(regression.error());

  const Baseline compared = present ? without_clocks(only(*present, options.metrics), metrics) : Baseline{};
  std::vector<Refusal> against = refusals(without_clocks(candidate, metrics), present ? &compared : nullptr);
  const bool named = accepting.named.contains(candidate.case_name);
  if (!regression->empty() && !named) against.insert(against.begin(), {regressed_refusal, *regression});
  std::vector<std::string> despite;
  std::erase_if(against, [&](const Refusal& refusal) {
    const bool overridden = std::ranges::find(options.despite, refusal.name) != options.despite.end();
    if (overridden) despite.push_back(refusal.name);
    return overridden;
  });
  if (!against.empty()) return Withheld{candidate.case_name, std::move(against)};

  Decision decision{std::move(candidate), *platform, {}, {}};
  decision.waited_for = decision.fresh.platform;
  decision.lines = describe(decision.fresh);
  if (!regression->empty()) decision.lines.insert(decision.lines.begin(), "was red: " + *regression);
  decision.fresh.platform = *numbers;
  if (present) decision.fresh.accepted = present->accepted;
  if (present) keep_others(decision.fresh, *present, options.metrics);
  decision.fresh.accepted.push_back({options.who, to_iso(accepting.now), options.reason,
                                     decision.fresh.provenance.run, present ? (*file)->sha256 : "", despite,
                                     options.metrics});
  return decision;
}

std::string refusal_lines(const Withheld& one) {
  std::vector<std::string> lines;
  for (const Refusal& refusal : one.refusals) lines.push_back("  " + refusal.name + ": " + refusal.text);
  return join(lines, "\n");
}

std::string refusal_line(const Withheld& one) {
  std::vector<std::string> parts;
  for (const Refusal& refusal : one.refusals) parts.push_back(refusal.name + ": " + refusal.text);
  return one.case_name + ": " + join(parts, "; ");
}

tl::unexpected<Failure> refuse(const std::vector<Withheld>& all, std::size_t candidates) {
  const std::string hint = "--despite NAME[,NAME] with the --reason why";
  if (candidates == 1)
    return refused(all.front().case_name + ": refused, and nothing was changed:\n" +
                   refusal_lines(all.front()) + "\nto accept all the same: " + hint);
  std::string text;
  for (const Withheld& one : all) text += refusal_line(one) + "\n";
  return refused(text + std::to_string(all.size()) + " of " + std::to_string(candidates) +
                 " candidates refused, and nothing was changed; to accept all the same: name the cases that "
                 "are red on purpose, or " +
                 hint);
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
        taken.emplace(store::Place{decision.platform, decision.fresh.case_name}, decision.waited_for);
    if (!fresh)
      return refused(decision.fresh.case_name + ": refused, and nothing was changed: the candidates for " +
                     platform_name(first->second) + " and " + platform_name(decision.waited_for) +
                     " would both become its " + platform_name(decision.platform) +
                     " baseline; --to platform gives each its own");
  }
  return {};
}

Answer<std::vector<Decision>> decide_all(const Accepting& accepting,
                                         const std::vector<Baseline>& candidates) {
  if (const auto fits = check_platforms(candidates, accepting.options); !fits)
    return tl::unexpected(fits.error());
  std::vector<Decision> decisions;
  std::vector<Withheld> held_back;
  for (const Baseline& candidate : candidates) {
    Weighed weighed = decide(accepting, candidate);
    if (!weighed) return tl::unexpected(weighed.error());
    if (auto* decision = std::get_if<Decision>(&*weighed)) decisions.push_back(std::move(*decision));
    if (auto* why = std::get_if<Withheld>(&*weighed)) held_back.push_back(std::move(*why));
  }
  if (!held_back.empty()) return refuse(held_back, candidates.size());
  if (const auto apart = check_places(decisions); !apart) return tl::unexpected(apart.error());
  return decisions;
}

// A word that is no glob names its case exactly.
Answer<std::set<std::string>> cases_named(const Suite& suite, const AcceptOptions& options) {
  std::set<std::string> named(options.named.begin(), options.named.end());
  for (const std::string& word : options.words) {
    if (is_glob(word)) continue;
    const auto names = select_names(suite, {word}, known_cases(suite), suite.root);
    if (!names) return usage(names.error());
    named.insert(names->begin(), names->end());
  }
  return named;
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

// What has been accepted waits no longer: accepted once more later, it would undo what came after it. A part
// of a candidate leaves the rest waiting.
Answer<std::vector<Accepted>> accept_all(const Accepting& accepting,
                                         const std::vector<Baseline>& candidates) {
  const Answer<std::vector<Decision>> decisions = decide_all(accepting, candidates);
  if (!decisions) return tl::unexpected(decisions.error());
  const bool whole = accepting.options.from.empty() && accepting.options.metrics.empty();
  std::vector<Accepted> accepted;
  for (std::size_t i = 0; i < decisions->size(); ++i) {
    const Decision& decision = (*decisions)[i];
    const auto path = store::write_baseline(accepting.suite.layout, decision.fresh, decision.platform);
    if (!path) return infra(path.error());
    const Status cleared = whole ? store::remove_candidate(accepting.suite.layout, candidates[i]) : Status();
    if (!cleared) return infra(cleared.error());
    accepted.push_back({decision.fresh.case_name, *path, decision.lines});
  }
  return accepted;
}

}  // namespace

Answer<std::vector<Accepted>> accept(const Suite& suite, const AcceptOptions& options, Moment now) {
  if (const Status words = check_words(options); !words) return usage(words.error());
  const auto lock = store::lock_baselines(suite.layout, now);
  if (!lock) return infra(lock.error());
  const Answer<std::set<std::string>> named = cases_named(suite, options);
  if (!named) return tl::unexpected(named.error());
  const Answer<std::vector<Baseline>> candidates = read_candidates(suite, options.words, options.from);
  if (!candidates) return tl::unexpected(candidates.error());
  return accept_all({suite, options, *named, now}, *candidates);
}

Answer<std::vector<Accepted>> accept_these(const Suite& suite, const std::vector<Baseline>& candidates,
                                           const AcceptOptions& options, Moment now) {
  if (const Status words = check_words(options); !words) return usage(words.error());
  const auto lock = store::lock_baselines(suite.layout, now);
  if (!lock) return infra(lock.error());
  return accept_all({suite, options, {options.named.begin(), options.named.end()}, now}, candidates);
}

}  // namespace gate::app
