#include "gate/judge/judge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "gate/base/text.h"
#include "judge/explain_failure.h"
#include "judge/profiles/profiles.h"
#include "judge/rules/check.h"
#include "judge/rules/check_evaluation.h"
#include "judge/rules/gaps.h"
#include "judge/rules/plan.h"
#include "judge/rules/remarks.h"
#include "judge/series/fold.h"
#include "judge/verdict.h"

namespace gate::judge {

namespace {

// The judgement while it grows.
struct JudgeContext {
  const JudgeInput& question;
  Progress course;
  Judgement judgement;
  std::vector<SeriesRemark> remarks;

  void hear(const Target& target) {
    const CheckEvaluation trial = hold(target, question, course);
    judgement.checks.push_back(check_of(trial));
    if (trial.status != CheckStatus::pass) return;  // the check's own note says it
    const Check& check = judgement.checks.back();
    for (Remark& remark : remarks_on(trial))
      remarks.push_back({target.metric.name, check.rank, check.numbering(), std::move(remark)});
  }
};

void hear_targets(JudgeContext& hearing, const Plan& plan) {
  for (const Target& target : plan.targets) {
    if (!target.open()) hearing.hear(target);
    if (!target.open()) continue;
    for (const Target& one : opened(target, hearing.question.run)) hearing.hear(one);
  }
}

bool has_odd_value(const Series& series) {
  const SampleTape& samples = series.samples();
  return std::any_of(samples.begin(), samples.end(), [](const Sample& s) { return !s.value.is_finite(); });
}

// A rank that the baseline does not have is no check; but a value in it that is no number still fails.
void hear_other_rank(JudgeContext& hearing, const Target& target, const Series& series,
                     std::vector<std::optional<int>>& unjudged) {
  if (!has_odd_value(series)) {
    unjudged.push_back(series.rank());
    return;
  }
  hearing.hear({target.rule, target.metric, {}, {series.rank()}});
}

// Takes the ranks of a metric that none of its targets has, once for each rule.
void hear_other_ranks(JudgeContext& hearing, const Plan& plan) {
  std::map<const Rule*, std::set<std::optional<int>>> known;
  std::vector<const Target*> first;
  for (const Target& target : plan.targets) {
    if (target.open() || target.rule->rank != RankMode::each) continue;
    if (!known.contains(target.rule)) first.push_back(&target);
    known[target.rule].insert(target.ranks.front());
  }
  for (const Target* target : first) {
    std::vector<std::optional<int>> unjudged;
    for (const Series& series : hearing.question.run.series)
      if (series.metric() == target->metric.name && !known[target->rule].contains(series.rank()))
        hear_other_rank(hearing, *target, series, unjudged);
    if (unjudged.empty()) continue;
    hearing.judgement.ungated.push_back(
        {target->metric.name, target->rule->name, remark::NotInBaseline{unjudged, false}});
  }
}

// Lists every metric of run and baseline that no rule names.
void list_unruled(JudgeContext& hearing, const Remark& reason) {
  std::set<std::string> named;
  const bool by_rules = hearing.question.mode == Mode::series && hearing.question.profile.is_gate();
  if (by_rules)
    for (const Rule& rule : hearing.question.rules) named.insert(rule.metric);
  for (const Check& check : hearing.judgement.checks) named.insert(check.metric);
  for (const Ungated& entry : hearing.judgement.ungated) named.insert(entry.metric);
  const auto& withheld = hearing.question.withheld;
  const auto list = [&](const Series& series) {
    if (!named.insert(series.metric()).second) return;
    const auto why = withheld.find(series.metric());
    hearing.judgement.ungated.push_back({series.metric(), "", why == withheld.end() ? reason : why->second});
  };
  for (const ReferenceSeries& reference : hearing.question.reference.series)
    for (const Series& series : reference.runs) list(series);
  for (const Series& series : hearing.question.run.series) list(series);
}

bool is_held(const JudgeInput& question, const std::string& metric) {
  const auto has_metric = [&](const Series& series) { return series.metric() == metric; };
  return std::ranges::any_of(question.run.series, has_metric) ||
         std::ranges::any_of(question.reference.series, [&](const ReferenceSeries& reference) {
           return std::ranges::any_of(reference.runs, has_metric);
         });
}

// A metric that the baseline names, and that cannot be compared, is no check that could be left out.
void hear_gap(JudgeContext& hearing, const Gap& gap) {
  const bool named = std::ranges::any_of(hearing.question.reference.unrecorded, [&](const Series& series) {
    return series.metric() == gap.entry.metric;
  });
  if (!gap.is_incomparable && !(named && gap.blocks)) {
    hearing.judgement.ungated.push_back(gap.entry);
    hearing.judgement.ungated.back().absent =
        gap.is_alternative && !is_held(hearing.question, gap.entry.metric);
    return;
  }
  Check check;
  check.rule = gap.entry.rule;
  check.metric = gap.entry.metric;
  check.kind = hearing.question.metrics.get(check.metric).kind;
  check.remarks = {gap.is_incomparable ? gap.entry.reason : remark::Plain::named_without_value};
  hearing.judgement.checks.push_back(std::move(check));
}

// Return why a run that began anew is not judged, where rules are strict, or "".
std::string restarted(const JudgeInput& question) {
  const std::vector<Problem>& problems = question.run.problems;
  const auto restart = std::ranges::find(problems, ProblemKind::restart, &Problem::kind);
  if (question.strict == Strict::no || restart == problems.end()) return "";
  return "line " + std::to_string(restart->line) + ": " + restart->text + " (strict)";
}

// Say that the log holds another number of attempts than those of the baseline. Restarts of which none is in
// the baseline are told where they are.
void tell_attempts(JudgeContext& hearing) {
  const Extraction& run = hearing.question.run;
  const std::set<std::int64_t>& known = hearing.question.reference.attempts;
  const auto held = static_cast<std::int64_t>(run.attempts.size() + run.attempts_counted);
  if (known.empty() || held == 0 || known.contains(held)) return;
  const bool told = *known.rbegin() == 1 && std::ranges::find(run.problems, ProblemKind::restart,
                                                              &Problem::kind) != run.problems.end();
  if (told) return;
  std::vector<std::string> counts;
  for (const std::int64_t count : known) counts.push_back(std::to_string(count));
  hearing.judgement.problems.push_back(
      {ProblemKind::other, "", 0,
       "the log holds " + count_of(held, "attempt") + ", that of the baseline " + join(counts, " or ")});
}

std::string hear_series(JudgeContext& hearing) {
  const QuestionPlan made = plan_for(hearing.question);
  const Plan& plan = made.plan;
  hear_targets(hearing, plan);
  hear_other_ranks(hearing, plan);
  for (const Gap& gap : plan.gaps) hear_gap(hearing, gap);
  list_unruled(hearing, remark::Plain::no_rule);
  tell_attempts(hearing);
  const std::string blocked = blocked_by(plan, hearing.question.strict);
  return blocked.empty() ? restarted(hearing.question) : blocked;
}

// How long a run must be, the profile says itself.
void hear_profile(JudgeContext& hearing, ProfileJudge judge) {
  Opinion opinion = judge(hearing.question);
  hearing.course.demanded.reset();
  hearing.judgement.checks = std::move(opinion.checks);
  hearing.judgement.ungated = std::move(opinion.ungated);
  hearing.judgement.notes = std::move(opinion.notes);
  list_unruled(hearing, remark::NotCompared{hearing.question.profile.name});
}

void hear_exit(JudgeContext& hearing) {
  const std::optional<Outcome>& outcome = hearing.question.outcome;
  const bool well = outcome && ended_well(*outcome);
  Check check;
  check.rule = check.metric = "exit";
  check.tolerance = {{{Bound{Bound::Kind::equals, Bound::Side::both, Decimal{}}}}};
  check.status = well ? CheckStatus::pass : CheckStatus::undecided;
  check.compared = well ? 1 : 0;
  if (well) check.actual = Value{ValueKind::finite, Decimal{}};
  check.remarks = {outcome ? Remark(remark::Ended{*outcome}) : remark::Plain::ending_unknown};
  hearing.judgement.checks.push_back(std::move(check));
  list_unruled(hearing, remark::Plain::only_exit);
}

// Messages decide nothing where the script ended with 0 and complete: they are problems then.
void tell_messages(JudgeContext& hearing, const KnownMessage* cause) {
  Judgement& judgement = hearing.judgement;
  const bool failed = hearing.course.cut_short() || judgement.verdict == Verdict::incomplete;
  const KnownMessage* told = failed ? cause : nullptr;
  if (told != nullptr) judgement.cause = *told;
  std::vector<Problem> messages = as_problems(hearing.question.run.messages, told);
  judgement.problems.insert(judgement.problems.end(), std::make_move_iterator(messages.begin()),
                            std::make_move_iterator(messages.end()));
}

}  // namespace

Judgement judge(const JudgeInput& question) {
  JudgeContext hearing{question, course_of(question), {}, {}};
  std::string blocked;
  if (question.mode == Mode::exit)
    hear_exit(hearing);
  else if (const ProfileJudge other = judge_of(question.profile))
    hear_profile(hearing, other);
  else
    blocked = hear_series(hearing);
  for (Note& note : fold(hearing.remarks)) hearing.judgement.notes.push_back(std::move(note));
  const KnownMessage* cause = blamed(question);
  const Decision ruling = rule_on(question, hearing.course, hearing.judgement.checks, blocked, cause);
  hearing.judgement.verdict = ruling.verdict;
  hearing.judgement.reason = ruling.reason;
  tell_messages(hearing, cause);
  const bool tells_it = ruling.verdict == Verdict::passed || ruling.verdict == Verdict::regressed;
  if (hearing.course.announced && tells_it && question.mode != Mode::exit)
    hearing.judgement.notes.push_back({{}, Numbering::step, short_of_announced(hearing.course)});
  return std::move(hearing.judgement);
}

}  // namespace gate::judge
