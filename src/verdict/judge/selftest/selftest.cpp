#include "gate/judge/selftest.h"

#include <algorithm>
#include <array>

#include "gate/words/values.h"
#include "judge/rules/plan.h"
#include "judge/selftest/mutation_context.h"
#include "judge/selftest/mutations.h"

namespace gate::judge {

namespace {

struct Mutation {
  MutationRow row;
  Mutants (*make)(const MutationContext& context);  // none: the good run itself
};

template <auto mutate, auto how>
Mutants make(const MutationContext& context) {
  return mutate(context, how);
}

constexpr std::array<Mutation, 24> mutation_list{{
    {{"reference", {"the reference itself", "基线数据本身"}, true}, nullptr},
    {{"on_limit", {"every value of the window exactly on its limit", "窗口内每个值恰好等于限值"}, true},
     on_the_limit},
    {{"beyond_first",
      {"one quantum beyond the limit at the first step of the window", "窗口第一步超出限值一个最小单位"}},
     make<one_beyond, MutatedStep::first>},
    {{"beyond_middle", {"the same at its middle step", "同上，在窗口中间一步"}},
     make<one_beyond, MutatedStep::middle>},
    {{"beyond_last", {"the same at its last step", "同上，在窗口最后一步"}},
     make<one_beyond, MutatedStep::last>},
    {{"beyond_all",
      {"every value of the window one quantum beyond its limit", "窗口内每个值都超出限值一个最小单位"}},
     window_beyond},
    {{"tenfold",
      {"one step ten times too large, or a tenth where higher is better",
       "一步的值放大十倍（越大越好的指标缩小到十分之一）"}},
     tenfold},
    {{"four_percent", {"every value 4 % worse", "每个值向坏的一侧偏 4 %"}}, four_percent},
    {{"good_attempt_last", {"a bad attempt, then a good one", "先一次坏的尝试，再一次好的"}, true},
     make<two_attempts, Last::good>},
    {{"bad_attempt_last", {"a good attempt, then a bad one", "先一次好的尝试，再一次坏的"}},
     make<two_attempts, Last::bad>},
    {{"shifted", {"every value replaced by that of the next step", "每个值换成下一步的值"}}, shifted},
    {{"nan_inside", {"NaN at one step of the window", "窗口内一步为 NaN"}},
     make<non_finite_inside, ValueKind::nan>},
    {{"nan_outside", {"NaN at one step after the window", "窗口之后一步为 NaN"}},
     make<non_finite_outside, ValueKind::nan>},
    {{"inf_inside", {"infinity at one step of the window", "窗口内一步为无穷大"}},
     make<non_finite_inside, ValueKind::positive_infinity>},
    {{"inf_outside", {"infinity at one step after the window", "窗口之后一步为无穷大"}},
     make<non_finite_outside, ValueKind::positive_infinity>},
    {{"inf_both", {"infinity at the same step of run and reference", "运行和基线在同一步为无穷大"}},
     inf_on_both_sides},
    {{"left_out", {"one step printed without its value", "一步没有打印值"}},
     make<non_finite_inside, ValueKind::left_out>},
    {{"missing_inside", {"one step of the window missing", "窗口内缺一步"}}, make<missing, true>},
    {{"missing_outside", {"one step after the window missing", "窗口之后缺一步"}}, make<missing, false>},
    {{"missing_one_more", {"a middle step missing, and one more at the end", "中间缺一步，末尾多一步"}},
     missing_and_one_more},
    {{"missing_rank", {"one rank missing", "缺一个 rank"}}, missing_rank},
    {{"truncated", {"the second half missing", "缺后一半"}}, truncated},
    {{"empty", {"a series without values", "没有值的序列"}}, empty_series},
    {{"absent", {"the metric not in the run", "运行中没有该指标"}}, absent_metric},
}};

constexpr auto mutation_rows = [] {
  std::array<MutationRow, mutation_list.size()> rows;
  std::ranges::transform(mutation_list, rows.begin(), &Mutation::row);
  return rows;
}();

bool passes(const GuardedCase& guard, const Judgement& judgement, const RuleTarget& target) {
  if (!guard.profile.is_gate() || leaves_gaps_to_others(*target.rule))
    return judgement.verdict == Verdict::passed;
  const Check* check = find_check(judgement, target);
  return check == nullptr || check->status == CheckStatus::pass || judgement.verdict == Verdict::passed;
}

Sentence answer(const Judgement& judgement) {
  return words::verdict_text(judgement.verdict) + comma + judgement.reason;
}

Tried tried(const Mutation& mutation, const RuleTarget& target, Proof proof, Sentence text) {
  return {&mutation_rows[static_cast<std::size_t>(&mutation - mutation_list.data())],
          target.rule->name,
          target.metric.name,
          target.ranks.front(),
          proof,
          std::move(text)};
}

// All variants of one mutation make one result: the first that the judge gets wrong, else the last.
Tried try_one(const Judge& judge, const Mutation& mutation, const MutationContext& context) {
  const Mutants mutants = mutation.make(context);
  if (mutants.list.empty()) return tried(mutation, context.target, Proof::not_applicable, mutants.none);
  const GuardedCase& guard = context.guard;
  // Another profile may well allow less than gate's rules do.
  const Proof wrong = mutation.row.harmless && !guard.profile.is_gate() ? Proof::stricter : Proof::survived;
  Sentence text;
  for (const Mutant& mutant : mutants.list) {
    const Judgement judgement =
        ask_judge(guard, judge, mutant.run, mutant.reference ? *mutant.reference : guard.reference);
    text = mutant.what + colon + answer(judgement);
    if (passes(guard, judgement, context.target) != mutation.row.harmless)
      return tried(mutation, context.target, wrong, text);
  }
  return tried(mutation, context.target, Proof::held, text);
}

void try_all(const GuardedCase& guard, const Judge& judge, const RuleTarget& target, const GoodRun& good,
             std::vector<Tried>& results) {
  const std::span<const Mutation> table = mutation_list;
  const bool checked = !guard.profile.is_gate() || find_check(good.judgement, target) != nullptr;
  const bool sound = checked && passes(guard, good.judgement, target);
  results.push_back(
      tried(table.front(), target, sound ? Proof::held : Proof::survived, answer(good.judgement)));
  if (!sound) {
    for (const Mutation& mutation : table.subspan(1))
      results.push_back(tried(mutation, target, Proof::not_applicable,
                              say({"the reference does not pass", "基线数据没有通过"})));
    return;
  }
  MutationContext context = make_context(guard, target, good.run);
  context.tells_attempts = good.tells_attempts;
  for (const Mutation& mutation : table.subspan(1)) results.push_back(try_one(judge, mutation, context));
}

}  // namespace

std::span<const MutationRow> mutations() { return mutation_rows; }

std::int64_t number_at(const std::vector<std::int64_t>& numbers, MutatedStep place) {
  if (place == MutatedStep::middle) return numbers[numbers.size() / 2];
  return place == MutatedStep::first ? numbers.front() : numbers.back();
}

std::string_view word_of(const Tried& tried) {
  const bool harmless = tried.mutation->harmless;
  switch (tried.proof) {
    case Proof::held:
      return harmless ? "passed" : "caught";
    case Proof::survived:
      return harmless ? "REFUSED" : "SURVIVED";
    case Proof::stricter:
      return "stricter";
    case Proof::not_applicable:
      return "n/a";
  }
  return "";
}

std::vector<Tried> selftest(const GuardedCase& guard, const Judge& judge) {
  const CheckPlan plan = make_plan(guard.rules, guard.metrics, guard.reference, guard.platform);
  std::vector<Tried> results;
  if (plan.targets.empty()) return results;
  GoodRun good = good_run(guard, plan, judge);
  good.tells_attempts = tells_attempts(guard, good.run);
  for (const RuleTarget& target : plan.targets)
    for (const RuleTarget& one : target.open() ? opened(target, good.run) : std::vector{target})
      try_all(guard, judge, one, good, results);
  return results;
}

std::vector<Ungated> ungated_rules(const GuardedCase& guard) {
  std::vector<Ungated> rules;
  for (const Gap& gap : make_plan(guard.rules, guard.metrics, guard.reference, guard.platform).gaps)
    if (!gap.is_unsaid) rules.push_back(gap.entry);
  return rules;
}

std::int64_t Selftest::count(Proof proof) const {
  std::int64_t count = 0;
  for (const SelftestCase& c : cases) count += std::ranges::count(c.results, proof, &Tried::proof);
  return count;
}

int Selftest::exit_code() const {
  if (count(Proof::survived) > 0) return exit_code::regressed;
  if (std::ranges::any_of(cases, &SelftestCase::unreadable)) return exit_code::refused;
  return count(Proof::held) > 0 ? exit_code::ok : exit_code::refused;
}

}  // namespace gate::judge
