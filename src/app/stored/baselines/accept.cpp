#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "gate/base/text.h"
#include "gate/judge/triage.h"
#include "gate/judging/refusals.h"
#include "gate/stored/baseline.h"
#include "gate/suite/chosen_cases.h"
#include "gate/words/remarks.h"
#include "gate/words/values.h"
#include "stored/baselines/candidate_weighing.h"

namespace gate::app {

namespace {

// What a candidate becomes.
struct Replacement {
  const Baseline* whole;  // the candidate
  Baseline fresh;
  store::BaselinePlace place;  // where it goes
  std::vector<Sentence> warnings = {};
  std::vector<Sentence> lines = {};
};

// Why a candidate does not become the baseline.
struct Withheld {
  std::string name;  // of its case; with its place where the case has others
  std::vector<Refusal> refusals;
};

// The candidate's series in place of the present ones of the same metric; the others stay, in their own runs.
void keep_others(Baseline& fresh, const Baseline& present, const std::vector<std::string>& metrics) {
  if (metrics.empty()) return;
  if (!fresh.provenance.switches) fresh.provenance.switches = present.provenance.switches;
  fresh.runs.resize(std::max(fresh.runs.size(), present.runs.size()));
  for (std::size_t i = 0; i < present.runs.size(); ++i)
    for (const Series& series : present.runs[i].series)
      if (!is_chosen(metrics, series.metric())) fresh.runs[i].series.push_back(series);
}

// What later acceptances are measured from. What was accepted in spite of its drift is the first itself.
std::optional<FirstAccepted> kept_first(FirstAccepted first, bool has_drifted,
                                        const std::vector<std::string>& metrics) {
  if (has_drifted)
    for (BaselineRun& run : first.runs)
      std::erase_if(run.series, [&](const Series& series) { return is_chosen(metrics, series.metric()); });
  const bool is_empty = std::ranges::all_of(first.runs, [](const auto& run) { return run.series.empty(); });
  return is_empty ? std::nullopt : std::optional(std::move(first));
}

std::vector<Sentence> describe(const Baseline& baseline) {
  std::vector<Sentence> lines;
  for (const ReferenceSeries& reference : make_reference(baseline, "").series) {
    const Series& series = reference.runs.front();
    const std::size_t runs = reference.runs.size();
    lines.push_back(as_is(label(series)) + colon +
                    words::count_text(static_cast<std::int64_t>(series.size()), series.numbered()) +
                    (runs > 1 ? say({" in each of {} runs", "，共 {} 次运行，每次都有"}, runs) : Sentence()));
  }
  return lines;
}

bool is_of_unknown_speed(const judge::Noise& noise) {
  return noise.kind == MetricKind::speed && !noise.s && !noise.problem;
}

Replacement replacement_for(const Accepting& accepting, Weighing weighing) {
  const AcceptOptions& options = accepting.options;
  Replacement replacement{
      .whole = weighing.whole, .fresh = std::move(weighing.candidate), .place = weighing.place};
  Baseline& fresh = replacement.fresh;
  replacement.lines = describe(fresh);
  if (std::ranges::any_of(weighing.noise, is_of_unknown_speed))
    replacement.lines.push_back(say({"noise unknown: one run; gate baseline record --runs 3 measures it",
                                     "噪声未知：只有一次运行；gate baseline record --runs 3 可测量"}));
  if (!weighing.red.empty())
    replacement.warnings.push_back(say({"was red: {}", "接受前为红：{}"}, weighing.red));
  if (weighing.drift)
    replacement.warnings.push_back(say({"drifted: {}", "累计漂移：{}"}, weighing.drift->text));
  fresh.platform = weighing.numbers;
  if (weighing.first)
    fresh.first = kept_first(*std::move(weighing.first), weighing.drift.has_value(), options.metrics);
  if (const Baseline* present = weighing.present()) {
    fresh.accepted = present->accepted;
    keep_others(fresh, *present, options.metrics);
  }
  fresh.accepted.push_back({options.who, to_iso(accepting.now), options.reason, fresh.provenance.run,
                            weighing.file ? weighing.file->sha256 : "", weighing.despite, options.metrics});
  return replacement;
}

std::string join_refusals(const Withheld& one, const std::string& separator) {
  std::vector<std::string> parts;
  for (const Refusal& refusal : one.refusals) parts.push_back(refusal.name + ": " + refusal.text.english());
  return join(parts, separator);
}

// `llama2`, or `llama2 at nvidia-a100@lts` where another candidate is of that case, too.
std::string name_among(const std::vector<Baseline>& candidates, const Baseline& one) {
  const auto of_case = std::ranges::count(candidates, one.case_name, &Baseline::case_name);
  const std::string place =
      of_case > 1 ? " at " + platform_name(place_word(one.platform, one.environment)) : "";
  return one.case_name + place;
}

tl::unexpected<Failure> refuse(const std::vector<Withheld>& all, std::size_t candidates) {
  const std::string hint = "--despite NAME[,NAME] with the --reason why";
  if (candidates == 1)
    return refused(all.front().name + ": refused, and nothing was changed:\n  " +
                   join_refusals(all.front(), "\n  ") + "\nto accept all the same: " + hint);
  std::string text;
  for (const Withheld& one : all) text += one.name + ": " + join_refusals(one, "; ") + "\n";
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

// Of two candidates for one file, directly or through links, the later would undo the earlier.
Answer<void> check_places(const Suite& suite, const std::vector<Replacement>& replacements) {
  std::map<fs::Path, const Replacement*> taken;
  for (const Replacement& replacement : replacements) {
    const fs::Path path = suite.root / store::baseline_path(suite.layout, replacement.place);
    const fs::Path file = fs::whole_path(fs::end_of_links(path).value_or(path));
    const auto [first, fresh] = taken.emplace(file, &replacement);
    if (fresh) continue;
    const Replacement& other = *first->second;
    if (other.fresh.case_name != replacement.fresh.case_name)
      return refused(replacement.fresh.case_name +
                     ": refused, and nothing was changed: its baseline and that of " + other.fresh.case_name +
                     " are one file, " + file.string() + "; give each its own");
    return refused(replacement.fresh.case_name + ": refused, and nothing was changed: the candidates for " +
                   store::place_of(*other.whole).name() + " and " +
                   store::place_of(*replacement.whole).name() + " would both become its " +
                   replacement.place.name() + " baseline; --to platform gives each its own");
  }
  return {};
}

// What becomes of all candidates.
struct Decisions {
  std::vector<Replacement> replacements;
  std::vector<Accepted> left_out;
};

// Return that the candidate's run did not come to its end; "" if it did.
Sentence cut_off_words(const Weighing& weighing) {
  std::vector<Sentence> parts;
  for (const char* name : {bad_end_refusal, short_refusal})
    for (const Refusal& refusal : weighing.standing)
      if (refusal.name == name) parts.push_back(refusal.text);
  return join(parts, semicolon);
}

// Return what the suite's moves do not tell of a case: that it has nothing to move from, or a check that is
// not passed and has no move; "" if there is nothing.
Sentence untold_by(const judge::Triage& triage, const CaseReport& report,
                   const std::vector<std::string>& metrics) {
  const auto chosen = [&](const std::string& metric) { return is_chosen(metrics, metric); };
  if (const Check* unmoved = judge::unmoved_check(triage, report, chosen)) return words::failure(*unmoved);
  const bool is_compared = std::ranges::any_of(
      report.checks, [&](const Check& check) { return check.compared > 0 && chosen(check.metric); });
  if (is_compared) return {};
  return say({"it has no baseline that it could have moved from", "它没有可以比较变化的基线"});
}

// Return why a candidate is no part of the common shift, a line each: it stands apart, it is red in what did
// not move, or it is refused for another reason than the move. Of one whose run did not come to its end no
// numbers are told.
std::vector<Sentence> apart_lines(const judge::Triage& triage, const Weighing& weighing,
                                  const Accepting& accepting) {
  const auto unmoved = [](const Sentence& why) {
    return say({"not in the suite's shift: {}", "不能按整体偏移接受：{}"}, why);
  };
  std::vector<Sentence> lines;
  for (const judge::Move& move : triage.apart)
    if (judge::is_of(move, weighing.report))
      lines.push_back(say({"stands apart: {} {:+.3g} %, {:.0f} times the noise from the rest",
                           "偏离整体：{} {:+.3g} %，与其余用例的差距是噪声的 {:.0f} 倍"},
                          move.metric, move.by_spike ? *move.spike : move.percent, move.units));
  const Sentence untold = untold_by(triage, weighing.report, accepting.options.metrics);
  const Sentence cut_off = cut_off_words(weighing);
  if (!cut_off.empty()) return {unmoved(cut_off)};
  if (lines.empty() && !untold.empty()) lines.push_back(unmoved(untold));
  if (lines.empty())
    for (const Refusal& refusal : weighing.standing)
      if (!is_overridden(accepting, weighing, refusal))
        lines.push_back(as_is(refusal.name) + colon + refusal.text);
  return lines;
}

// Take out the candidates that are no part of the common shift, with what says so.
Answer<std::vector<Accepted>> leave_out_apart(std::vector<Weighing>& all, const Accepting& accepting) {
  std::vector<CaseReport> reports;
  for (const Weighing& one : all) reports.push_back(one.report);
  const judge::Triage triage = judge::triage(reports);
  if (triage.metrics.empty())
    return refused(
        "--common-shift: nothing moved together: it needs three candidates with one metric that moved; name "
        "the cases instead");
  std::vector<Accepted> left_out;
  std::string why;
  std::erase_if(all, [&](const Weighing& one) {
    std::vector<Sentence> lines = apart_lines(triage, one, accepting);
    if (lines.empty()) return false;
    why += "\n  " + one.report.name + ": " + lines.front().english();
    left_out.push_back({one.report.name, "", std::move(lines)});
    return true;
  });
  if (all.empty()) return refused("--common-shift: no candidate is left, and nothing was changed:" + why);
  return left_out;
}

// Return why nobody can say anything of the candidate: the settings of its case or its present baselines
// cannot be read; "" where both can.
Sentence why_not_weighed(const Suite& suite, const Baseline& candidate,
                         const Result<std::vector<store::BaselineFile>>& files) {
  const config::Case* spec = suite.find(candidate.case_name);
  const Sentence why = spec == nullptr ? Sentence() : config::unreadable_words(*spec);
  return why.empty() && !files ? Sentence(files.error().message) : why;
}

Answer<Decisions> decide(const Accepting& accepting, const std::vector<Baseline>& candidates) {
  GATE_TRY_STATUS(check_platforms(candidates, accepting.options));
  std::vector<Weighing> all;
  Decisions decisions;
  for (const Baseline& candidate : candidates) {
    const auto files = store::read_baselines(accepting.suite.layout, store::place_of(candidate));
    if (const Sentence why = why_not_weighed(accepting.suite, candidate, files); !why.empty()) {
      decisions.left_out.push_back({candidate.case_name, "", {why}});
      continue;
    }
    GATE_TRY(Weighing weighing, weigh_candidate(accepting, candidate, *files));
    all.push_back(std::move(weighing));
  }
  for (const Accepted& one : decisions.left_out)
    if (all.empty() || accepting.named.contains(one.case_name))
      return refused(one.case_name + ": " + one.warnings.front().english());
  if (accepting.options.common_shift) {
    GATE_TRY(std::vector<Accepted> apart, leave_out_apart(all, accepting));
    std::ranges::move(apart, std::back_inserter(decisions.left_out));
  }
  std::vector<Withheld> held_back;
  for (Weighing& weighing : all) {
    override_refusals(accepting, weighing);
    if (!weighing.standing.empty()) {
      held_back.push_back({name_among(candidates, *weighing.whole), std::move(weighing.standing)});
      continue;
    }
    decisions.replacements.push_back(replacement_for(accepting, std::move(weighing)));
  }
  if (!held_back.empty()) return refuse(held_back, all.size());
  GATE_TRY_STATUS(check_places(accepting.suite, decisions.replacements));
  return decisions;
}

Status check_words(const AcceptOptions& options) {
  if (trim(options.reason).empty())
    return fail("baseline accept: --reason is needed: say why these numbers are right");
  const std::vector<std::string> known = refusal_names();
  for (const std::string& name : options.despite)
    if (std::ranges::find(known, name) == known.end())
      return fail("--despite " + name + ": unknown" + did_you_mean(name, known) + " (it is one of " +
                  join(known, ", ") + ")");
  return {};
}

std::string accepted_before(const std::vector<Accepted>& accepted) {
  if (accepted.empty()) return "";
  return "; accepted before it: " + join(texts_of(accepted, &Accepted::case_name), ", ");
}

// What has been accepted waits no longer: accepted once more later, it would undo what came after it. A part
// of a candidate leaves the rest waiting. Return why it waits all the same; "" where it does not.
Sentence left_candidate(const Accepting& accepting, const Baseline& candidate) {
  if (!accepting.options.from.empty() || !accepting.options.metrics.empty()) return {};
  const Status removed = store::remove_candidate(accepting.suite.layout, candidate);
  if (removed) return {};
  return say(
      {"its candidate still waits: {}; remove it, for accepted later it would undo what comes after it",
       "其候选仍在等待：{}；请删除它，否则以后再接受会撤销之后的基线"},
      removed.error().message);
}

// A name that no candidate knows is a slip: what was meant would stay as it was.
Status check_metrics(const std::vector<std::string>& globs, const std::vector<Baseline>& candidates) {
  std::set<std::string> known;
  for (const Baseline& candidate : candidates)
    for (const BaselineRun& run : candidate.runs)
      for (const Series& series : run.series) known.insert(series.metric());
  const std::vector<std::string> names(known.begin(), known.end());
  for (const std::string& glob : globs)
    if (std::ranges::none_of(names, [&](const std::string& name) { return glob_match(glob, name); }))
      return fail("--metric " + glob + ": no candidate has it" + did_you_mean(glob, names) + " (they have " +
                  join(names, ", ") + ")");
  return {};
}

Answer<std::vector<Accepted>> accept_all(const Accepting& accepting,
                                         const std::vector<Baseline>& candidates) {
  if (const Status found = check_metrics(accepting.options.metrics, candidates); !found)
    return usage(found.error());
  GATE_TRY(Decisions decisions, decide(accepting, candidates));
  std::vector<Accepted> accepted;
  for (const Replacement& replacement : decisions.replacements) {
    const auto path = store::write_baseline(accepting.suite.layout, replacement.fresh, replacement.place);
    if (!path) return infra(path.error().message + accepted_before(accepted));
    accepted.push_back({replacement.fresh.case_name, *path, replacement.warnings, replacement.lines});
    if (Sentence left = left_candidate(accepting, *replacement.whole); !left.empty())
      accepted.back().warnings.push_back(std::move(left));
  }
  std::ranges::move(decisions.left_out, std::back_inserter(accepted));
  return accepted;
}

}  // namespace

Answer<std::vector<Accepted>> accept(const Suite& suite, const AcceptOptions& options, Moment now) {
  if (const Status words = check_words(options); !words) return usage(words.error());
  GATE_TRY(const auto lock, or_infra(store::lock_baselines(suite.layout)));
  GATE_TRY(const std::vector<Baseline> candidates, read_candidates(suite, options.words, options.from));
  const auto named = exact_names(suite, options.words, known_cases(suite), suite.root);
  return accept_all({suite, options, {named.begin(), named.end()}, now}, candidates);
}

Answer<std::vector<Accepted>> accept_these(const Suite& suite, const std::vector<Baseline>& candidates,
                                           const AcceptOptions& options, Moment now) {
  if (const Status words = check_words(options); !words) return usage(words.error());
  GATE_TRY(const auto lock, or_infra(store::lock_baselines(suite.layout)));
  return accept_all({suite, options, {options.named.begin(), options.named.end()}, now}, candidates);
}

}  // namespace gate::app
