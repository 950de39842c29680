#include "gate/judge/judge.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "gate/base/text.h"
#include "gate/judge/rules.h"
#include "gate/model/rules/grammar.h"
#include "judge/judged_accuracy.h"
#include "judge/profiles/profiles.h"
#include "judge/rules/check_evaluation.h"
#include "judge/rules/finite.h"
#include "judge/rules/plan.h"
#include "judge/rules/weight.h"
#include "judge/series/fold.h"
#include "judge/verdict.h"

namespace gate::judge {

namespace {

// Tell whether the rule allows what the built-in one does, whoever wrote it.
bool is_usual(const Rule& rule) {
  static const Tolerance usual = parse_tolerance("±0.01").value();
  return rule.is_built_in || rule.tolerance == usual;
}

// The judgement while it grows.
struct JudgeContext {
  const JudgeInput& input;
  Progress progress;
  Judgement judgement;
  std::vector<SeriesRemark> remarks;
  std::vector<std::size_t> too_wide = {};  // checks that let an accuracy change by all that it is
  bool compares_accuracy = false;          // another one does

  bool is_red(const std::string& metric) const {
    return std::ranges::any_of(judgement.checks, [&](const Check& check) {
      return check.metric == metric && check.status != CheckStatus::pass;
    });
  }

  void add_check(const RuleTarget& target) {
    const CheckEvaluation evaluation = evaluate(target, input, progress);
    if (leaves_gaps_to_others(*target.rule) && !evaluation.coverage.whole() && is_red(target.metric.name)) {
      judgement.ungated.push_back(
          {target.metric.name, target.rule->name, remark::GatedInstead{target.metric.name}, true});
      return;
    }
    judgement.checks.push_back(check_of(evaluation));
    if (target.metric.kind == MetricKind::accuracy) {
      if (is_usual(*target.rule) && is_too_wide(evaluation))
        too_wide.push_back(judgement.checks.size() - 1);
      else
        compares_accuracy = true;
    }
    if (evaluation.status != CheckStatus::pass) return;  // the check's own note says it
    const Check& check = judgement.checks.back();
    for (Remark& remark : remarks_on(evaluation))
      remarks.push_back({target.metric.name, check.rank, check.numbering(), std::move(remark)});
  }
};

bool has_non_finite(const Series& series) {
  const SampleTape& samples = series.samples();
  return std::ranges::any_of(samples, [](const Sample& sample) { return !sample.value.is_finite(); });
}

// Takes the ranks of a metric that none of its targets has, once for each rule: a rank that nothing is held
// against would be green unmeasured. Ranks that are combined must be the same ones anyway.
void judge_other_ranks(JudgeContext& context, const CheckPlan& plan) {
  std::map<const Rule*, std::set<const Series*>> known;
  std::vector<const RuleTarget*> first;
  for (const RuleTarget& target : plan.targets) {
    if (target.open() || target.rule->rank != RankMode::each || target.rule->is_rest_of_curve) continue;
    if (!known.contains(target.rule)) first.push_back(&target);
    known[target.rule].insert(
        find_counterpart(context.input.run.series, target.metric.name, target.ranks.front()));
  }
  for (const RuleTarget* target : first) {
    const Numbering numbered = target->references.front()->runs.front().numbered();
    std::optional<Numbering> other;  // by report beside by step: an event file beside its log
    for (const Series& series : context.input.run.series) {
      if (series.metric() != target->metric.name || known[target->rule].contains(&series)) continue;
      if (series.numbered() == numbered || has_non_finite(series))
        context.add_check({target->rule, target->metric, {}, {series.rank()}});
      else
        other = series.numbered();
    }
    if (other)
      context.judgement.ungated.push_back(
          {target->metric.name, target->rule->name, remark::OtherNumbering{*other, numbered, ""}});
  }
}

// Tell whether the baseline holds an accuracy that the run's log, which holds others, prints nowhere.
bool is_gone(const JudgeInput& input, const Series& series) {
  const bool is_printed =
      std::ranges::find(input.run.series, series.metric(), &Series::metric) != input.run.series.end();
  return !is_printed && !input.run.series.empty() &&
         input.metrics.get(series.metric()).kind == MetricKind::accuracy;
}

// Lists every metric of run and baseline that no rule names.
void list_unruled(JudgeContext& context, const Remark& reason) {
  std::set<std::string> named;
  if (context.input.mode == Mode::series && context.input.profile.is_gate())
    for (const Rule& rule : context.input.rules) named.insert(rule.metric);
  for (const Check& check : context.judgement.checks) named.insert(check.metric);
  for (const Ungated& entry : context.judgement.ungated) named.insert(entry.metric);
  const auto& withheld = context.input.withheld;
  const auto list = [&](const Series& series) {
    if (!named.insert(series.metric()).second) return;
    const auto why = withheld.find(series.metric());
    context.judgement.ungated.push_back({series.metric(), "",
                                         why != withheld.end()            ? why->second
                                         : is_gone(context.input, series) ? remark::Plain::no_longer_printed
                                                                          : reason});
  };
  for (const ReferenceSeries& reference : context.input.reference.series)
    for (const Series& series : reference.runs) list(series);
  for (const Series& series : context.input.run.series) list(series);
}

bool is_held(const JudgeInput& input, const std::string& metric) {
  const auto has_metric = [&](const Series& series) { return series.metric() == metric; };
  return std::ranges::any_of(input.run.series, has_metric) ||
         std::ranges::any_of(input.reference.series, [&](const ReferenceSeries& reference) {
           return std::ranges::any_of(reference.runs, has_metric);
         });
}

bool judges_accuracy(const Judgement& judgement) {
  return std::ranges::any_of(judgement.checks,
                             [](const Check& check) { return check.kind == MetricKind::accuracy; });
}

// What no check has judged stays a number, if the rule is on.
void judge_finite(JudgeContext& context) {
  const auto rule = std::ranges::find(context.input.rules, finite_rule, &Rule::name);
  if (rule == context.input.rules.end()) return;
  std::set<std::string> ruled;
  bool compares = false;
  for (const Check& check : context.judgement.checks) {
    ruled.insert(check.metric);
    compares |= check.compared > 0;
  }
  FiniteFindings findings = find_non_finite(*rule, context.input, ruled, compares);
  std::ranges::move(findings.checks, std::back_inserter(context.judgement.checks));
  std::ranges::move(findings.notes, std::back_inserter(context.judgement.notes));
}

// A metric that the baseline names, and that cannot be compared, is no check that could be left out.
void judge_gap(JudgeContext& context, const Gap& gap) {
  const bool named = std::ranges::any_of(context.input.reference.unrecorded, [&](const Series& series) {
    return series.metric() == gap.entry.metric;
  });
  const bool is_no_speed =
      gap.entry.reason == Remark(remark::Plain::zero_speed) && has_speed(context.input.run, gap.entry.metric);
  if (!gap.is_incomparable && !is_no_speed && !(named && gap.blocks)) {
    context.judgement.ungated.push_back(gap.entry);
    context.judgement.ungated.back().absent =
        gap.is_unsaid || (!is_held(context.input, gap.entry.metric) &&
                          (gap.is_alternative || (gap.is_built_in && judges_accuracy(context.judgement))));
    return;
  }
  Check check;
  check.rule = gap.entry.rule;
  check.metric = gap.entry.metric;
  const Metric metric = context.input.metrics.get(check.metric);
  check.kind = metric.kind;
  check.better = metric.better;
  check.remarks = {gap.is_incomparable || is_no_speed ? gap.entry.reason
                                                      : remark::Plain::named_without_value};
  context.judgement.checks.push_back(std::move(check));
}

std::int64_t count_attempts(const Extraction& run) {
  return std::ssize(run.attempts) + static_cast<std::int64_t>(run.attempts_counted) -
         std::ranges::count(run.problems, ProblemKind::recomputed, &Problem::kind);
}

// Return why a run that began anew is not judged: rules are strict; or an attempt failed, and neither the
// settings nor the baseline's log say that one may; "" where it is judged.
Sentence restarted(const JudgeInput& input) {
  const std::vector<Problem>& problems = input.run.problems;
  const auto restart = std::ranges::find(problems, ProblemKind::restart, &Problem::kind);
  if (restart == problems.end()) return {};
  if (input.strict == Strict::yes)
    return say({"line {}: {} (strict)", "第 {} 行：{}（strict）"}, restart->line, restart->text);
  const KnownMessage* const failure = failure_between_attempts(input.run);
  if (failure == nullptr || input.reference.attempts.contains(count_attempts(input.run))) return {};
  return beside(say({"line {}: {}, behind a failure; restarts = true allows it",
                     "第 {} 行：{}，在一次失败之后；restarts = true 允许这样"},
                    restart->line, restart->text),
                failure);
}

// Say that the log holds another number of attempts than those of the baseline. Restarts of which none is in
// the baseline are told where they are.
void tell_attempts(JudgeContext& context) {
  const Extraction& run = context.input.run;
  const std::set<std::int64_t>& known = context.input.reference.attempts;
  const std::int64_t held = count_attempts(run);
  if (known.empty() || held == 0 || known.contains(held)) return;
  if (run.further_starts > 0 && known.contains(held - static_cast<std::int64_t>(run.further_starts))) return;
  if (*known.rbegin() == 1 && std::ranges::count(run.problems, ProblemKind::restart, &Problem::kind) > 0)
    return;
  std::vector<Sentence> counts;
  for (const std::int64_t count : known) counts.emplace_back(std::to_string(count));
  context.judgement.problems.push_back(
      {ProblemKind::other, "", 0,
       say({"the log holds {}, that of the baseline {}", "日志里有 {}，基线的日志里有 {}"},
           count_of(held, "attempt", "次尝试"), join(counts, Sentence(" or ", " 或 ")))});
}

// Return why a run shows nothing of how its training went on behind a fault, or "": outputs show it, too.
Sentence resume_unjudged(const JudgeContext& context) {
  const Extraction& run = context.input.run;
  if (!run.resumed_at || context.input.mode != Mode::series || !run.outputs.empty()) return {};
  std::set<std::string> metrics;
  for (const Check& check : context.judgement.checks) {
    if (check.kind != MetricKind::accuracy) continue;
    const bool reaches_it =
        check.numbering() != Numbering::step || check.steps.empty() || check.steps.back() >= *run.resumed_at;
    if (check.compared > 0 && reaches_it) return {};
    metrics.insert(check.metric);
  }
  const Sentence what =
      say({"the training went on at step {} behind its fault, and no accuracy is judged from there on",
           "训练在故障之后从第 {} 步继续，而从那里起没有判定任何精度"},
          *run.resumed_at);
  if (metrics.empty())
    return what + say({": a rule for one and a baseline that has it judge it",
                       "：要有它的规则和含有它的基线才能判定"});
  return what + say({": widen the window of {}, or choose an earlier step for the fault",
                     "：请扩大 {} 的窗口，或为故障选更早的一步"},
                    join(std::vector(metrics.begin(), metrics.end()), ", "));
}

// Return that no step that is judged moved the weights, of accuracy if any is judged; "" where one did.
Sentence judged_steps_skipped(const JudgeContext& context) {
  constexpr std::string_view counter = "skipped_iterations";
  const std::vector<Check>& checks = context.judgement.checks;
  const std::set<std::int64_t> skipped = newly_skipped_steps(context.input);
  if (skipped.empty() || std::ranges::find(checks, counter, &Check::metric) != checks.end()) return {};
  std::set<std::int64_t> judged, of_accuracy;
  for (const Check& check : checks) {
    if (check.numbered != Numbering::step || check.compared == 0) continue;
    for (const std::int64_t step : check.steps.numbers()) {
      judged.insert(step);
      if (check.kind == MetricKind::accuracy) of_accuracy.insert(step);
    }
  }
  const std::set<std::int64_t>& steps = of_accuracy.empty() ? judged : of_accuracy;
  if (steps.empty() || !std::ranges::includes(skipped, steps)) return {};
  return say(
      {"its log says that every step that is judged was skipped, {}: the weights did not move; a rule for "
       "{} says what is well",
       "日志说要判定的每一步都被跳过（第 {} 步）：权重没有更新；可为 {} 写规则说明什么是正常"},
      to_string(StepSet(std::vector(steps.begin(), steps.end()))), counter);
}

// Return that ranks of a metric printed nothing, where constants alone judge it: a baseline says which are
// to. Of ranks that hold copies of one model, the first ones alone may print. What is no reason is noted.
Sentence ranks_missing(JudgeContext& context, const CheckPlan& plan) {
  const JudgeInput& input = context.input;
  if (!input.ranks) return {};
  const auto copies = setup_count(input.run.provenance, "data_parallel_size");
  const std::map<std::string, std::set<int>> ranks = ranks_by_metric(input.run.series);
  std::set<std::pair<std::string, bool>> seen;
  for (const RuleTarget& target : plan.targets) {
    const auto& [name, kind] = std::tie(target.metric.name, target.metric.kind);
    if (!seen.emplace(name, target.open()).second || target.metric.measured_by != MeasuredBy::log) continue;
    const auto printed = ranks.find(name);
    const std::int64_t count = printed == ranks.end() ? 0 : std::ssize(printed->second);
    if (count == 0 || count >= *input.ranks) continue;
    const std::int64_t groups = *input.ranks % count == 0 ? *input.ranks / count : 0;  // 0: of unequal sizes
    const Sentence what =
        say({"{} of its {} ranks printed it", "{1} 个 rank 中有 {0} 个打印了它"}, count, *input.ranks);
    if (target.open() && (groups == 0 || (copies && groups != *copies)))
      return as_is(name) + colon + what +
             say({", and no baseline says which are to", "，而没有基线说明应是哪些"});
    const bool is_by_all = kind == MetricKind::memory || kind == MetricKind::speed;
    const bool is_telling = target.open() ? is_by_all && !copies : groups == 0;
    if (is_telling) context.remarks.push_back({name, std::nullopt, Numbering::step, remark::Text{what}});
  }
  return {};
}

Check not_converged(const Series& series, const Sample& sample, const Extraction& run) {
  Check check;
  check.rule = check.metric = series.metric();
  check.kind = MetricKind::accuracy;
  check.rank = series.rank();
  check.numbered = series.numbered();
  check.steps = StepSet(std::vector{sample.number});
  check.reduce = Reduce::each;
  check.tolerance = {{{Bound{Bound::Kind::equals, Bound::Side::both, Decimal{1, 0}}}}};
  check.status = CheckStatus::fail;
  check.compared = check.misses = 1;
  check.actual = sample.value;
  const std::string file = sample.file < run.files.size() ? run.files[sample.file] : "";
  check.first_miss = Miss{.number = sample.number,
                          .baseline = {},
                          .actual = sample.value,
                          .delta = {},
                          .delta_percent = {},
                          .file = file,
                          .line = sample.line};
  check.largest = check.first_miss;
  return check;
}

// A run that says itself that it did not reach its target is no good run, unless a rule says what is well.
void judge_converged(JudgeContext& context) {
  constexpr std::string_view metric = converged_rule;
  const Extraction& run = context.input.run;
  const std::span<const Rule> rules = context.input.rules;
  const bool is_on = std::ranges::any_of(
      rules, [](const Rule& rule) { return rule.name == converged_rule && rule.metric.empty(); });
  if (!is_on || std::ranges::find(rules, metric, &Rule::metric) != rules.end()) return;
  for (const Series& series : run.series)
    if (series.metric() == metric)
      for (const Sample& sample : series.samples())
        if (sample.value.is_finite() && sample.value.number.is_zero())
          context.judgement.checks.push_back(not_converged(series, sample, run));
}

// A constant holds for every value of the run, whatever the baseline has: its values bound no window then.
// What the baseline has and the run lacks is demanded all the same.
std::vector<RuleTarget> targets_of(const RuleTarget& target, const Extraction& run) {
  if (target.open()) return opened(target, run);
  if (!bounds_every_value(*target.rule)) return {target};
  const auto has_more = [&](std::size_t rank) {
    const Series* series = find_counterpart(run.series, target.metric.name, target.ranks[rank]);
    const Series& known = target.references[rank]->runs.front();
    return series != nullptr && series->numbered() != Numbering::time &&
           std::ranges::any_of(series->samples(),
                               [&](const Sample& sample) { return !known.find(sample.number); });
  };
  std::vector<RuleTarget> targets{target};
  for (std::size_t rank = 0; rank < target.ranks.size(); ++rank)
    if (has_more(rank)) targets.push_back({target.rule, target.metric, {}, {target.ranks[rank]}});
  return targets;
}

// What lets the only accuracy that is compared become 0, or twice what it is, says nothing of it.
void judge_too_wide(JudgeContext& context) {
  if (context.compares_accuracy) return;
  for (const std::size_t place : context.too_wide) {
    Check& check = context.judgement.checks[place];
    if (check.status != CheckStatus::pass) continue;
    check.status = CheckStatus::incomparable;
    check.remarks = {remark::TooWide{check.tolerance, check.rule}};
  }
}

Sentence judge_series(JudgeContext& context) {
  const PlannedRules planned = plan_for(context.input);
  const CheckPlan& plan = planned.plan;
  for (const RuleTarget& target : plan.targets)
    for (const RuleTarget& one : targets_of(target, context.input.run)) context.add_check(one);
  judge_too_wide(context);
  judge_other_ranks(context, plan);
  judge_converged(context);
  for (const Gap& gap : plan.gaps) judge_gap(context, gap);
  judge_finite(context);
  list_unruled(context, remark::Plain::no_rule);
  tell_attempts(context);
  for (const Sentence& why :
       {blocked_by(plan, context.input.strict), restarted(context.input), judged_steps_skipped(context),
        ranks_missing(context, plan),
        context.compares_accuracy || !context.too_wide.empty() ? Sentence()
                                                               : unjudged_accuracy(context.input)})
    if (!why.empty()) return why;
  return {};
}

// How long a run must be, the profile says itself.
void judge_by_profile(JudgeContext& context, ProfileJudge judge) {
  Opinion opinion = judge(context.input);
  context.progress.demanded.reset();
  context.judgement.checks = std::move(opinion.checks);
  context.judgement.ungated = std::move(opinion.ungated);
  context.judgement.notes = std::move(opinion.notes);
  list_unruled(context, context.input.reference.series.empty()
                            ? Remark(remark::Plain::no_baseline)
                            : remark::NotCompared{context.input.profile.name});
}

void judge_exit(JudgeContext& context) {
  const std::optional<Outcome>& outcome = context.input.outcome;
  const bool ended = outcome && ended_well(*outcome), well = ended && context.input.drops_exit.empty();
  Check check;
  check.rule = check.metric = "exit";
  check.tolerance = {{{Bound{Bound::Kind::equals, Bound::Side::both, Decimal{}}}}};
  check.status = well ? CheckStatus::pass : CheckStatus::undecided;
  check.compared = well ? 1 : 0;
  if (well) check.actual = Value{ValueKind::finite, Decimal{}};
  check.remarks = {outcome ? Remark(remark::Ended{*outcome}) : remark::Plain::ending_unknown};
  if (ended && !well) check.remarks = {remark::Text{unknown_end(context.input.drops_exit)}};
  context.judgement.checks.push_back(std::move(check));
  list_unruled(context, remark::Plain::only_exit);
}

CheckStatus status_of_test(TestEnd end) {
  switch (end) {
    case TestEnd::passed:
      return CheckStatus::pass;
    case TestEnd::skipped:
      return CheckStatus::skipped;
    case TestEnd::erred:
      return CheckStatus::error;
    case TestEnd::failed:
      break;
  }
  return CheckStatus::fail;
}

Check check_of_test(const EndedTest& test) {
  Check check;
  check.rule = test_rule;
  check.metric = test.name;
  check.status = status_of_test(test.end);
  check.compared = test.end == TestEnd::skipped ? 0 : 1;
  check.test = test.result;
  if (!test.message.empty()) check.remarks = {remark::Text{test.message}};
  return check;
}

// Failures come first: a report shows the first ones. What a test prints like a training is none.
void judge_tests(JudgeContext& context) {
  context.progress.demanded.reset();
  std::vector<Check>& checks = context.judgement.checks;
  if (const std::optional<TestRun>& run = context.input.run.tests)
    for (const EndedTest& test : run->tests) checks.push_back(check_of_test(test));
  for (const CheckStatus status : {CheckStatus::skipped, CheckStatus::error, CheckStatus::fail})
    std::stable_partition(checks.begin(), checks.end(),
                          [&](const Check& check) { return check.status == status; });
  if (const auto& run = context.input.run.tests; run && !run->last.empty())
    context.judgement.notes.push_back({{}, Numbering::step, remark::LastTest{run->last}});
  list_unruled(context, remark::Plain::only_tests);
}

// Messages decide nothing where the script ended with 0 and complete: they are problems then.
void tell_messages(JudgeContext& context, const KnownMessage* cause) {
  Judgement& judgement = context.judgement;
  const bool failed = context.progress.cut_short() || judgement.verdict == Verdict::incomplete;
  const KnownMessage* told = failed ? cause : nullptr;
  if (told != nullptr) judgement.cause = *told;
  std::vector<KnownMessage> others = context.input.run.messages;
  std::erase_if(others, [&](const KnownMessage& message) {
    return (told != nullptr && message.name == told->name && message.line == told->line) ||
           (!failed && message.name == own_error_name);
  });
  std::vector<Problem> messages = as_problems(others);
  judgement.problems.insert(judgement.problems.end(), std::make_move_iterator(messages.begin()),
                            std::make_move_iterator(messages.end()));
}

}  // namespace

Sentence unknown_end(const Sentence& drops_exit) {
  return say({"{}, and nothing else is compared: write set -o pipefail before it, or end the script with its "
              "exit code",
              "{}，又没有比较别的内容：请在它之前写 set -o pipefail，或让脚本以它的退出码结束"},
             drops_exit);
}

Judgement judge(const JudgeInput& input) {
  JudgeContext context{input, progress_of(input, input.run), {}, {}};
  Sentence blocked;
  if (input.mode == Mode::exit)
    judge_exit(context);
  else if (input.mode == Mode::pytest)
    judge_tests(context);
  else if (const ProfileJudge other = judge_of(input.profile))
    judge_by_profile(context, other);
  else
    blocked = judge_series(context);
  if (blocked.empty()) blocked = resume_unjudged(context);
  put_heaviest_first(context.judgement.checks);
  for (Note& note : fold(context.remarks)) context.judgement.notes.push_back(std::move(note));
  const KnownMessage* cause = failure_cause(input);
  const Decision decision = decide(input, context.progress, context.judgement.checks, blocked, cause);
  context.judgement.verdict = decision.verdict;
  context.judgement.reason = decision.reason;
  context.judgement.ended_by = decision.ended_by;
  tell_messages(context, cause);
  const bool tells_it = decision.verdict == Verdict::passed || decision.verdict == Verdict::regressed;
  if (context.progress.announced && tells_it && input.mode == Mode::series)
    context.judgement.notes.push_back({{}, Numbering::step, short_of_announced(context.progress)});
  return std::move(context.judgement);
}

}  // namespace gate::judge
