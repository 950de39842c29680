#include "gate/judge/selftest.h"

#include <algorithm>

#include "judge/rules/plan.h"
#include "judge/selftest/good_run.h"
#include "judge/selftest/mutations.h"

namespace gate::judge {

namespace {

bool passes(const Guard& guard, const Judgement& judgement, const Target& target) {
  if (!guard.profile.is_gate()) return judgement.verdict == Verdict::passed;
  const Check* check = find_check(judgement, target);
  return check == nullptr || check->status == CheckStatus::pass || judgement.verdict == Verdict::passed;
}

std::string answer(const Judgement& judgement) {
  return std::string(to_string(judgement.verdict)) + ", " + judgement.reason;
}

Tried tried(const Mutation& mutation, const Target& target, Proof proof, std::string text) {
  const auto index = static_cast<std::size_t>(&mutation - mutation_table().data());
  return {&mutations()[index], target.rule->name, target.metric.name, target.ranks.front(), proof,
          std::move(text)};
}

bool is_sound(const Guard& guard, const Judgement& judgement, const Target& target) {
  const bool checked = !guard.profile.is_gate() || find_check(judgement, target) != nullptr;
  return checked && passes(guard, judgement, target);
}

// What a judge that got a mutation wrong is: another profile may well allow less than gate's rules do.
Proof wrong(const Guard& guard, const Mutation& mutation) {
  return mutation.row.harmless && !guard.profile.is_gate() ? Proof::stricter : Proof::survived;
}

// All variants of one mutation make one result: the first that the judge gets wrong, else the last.
Tried try_one(const Judge& judge, const Mutation& mutation, const MutationContext& scene) {
  const Mutants mutants = mutation.make(scene);
  if (mutants.list.empty()) return tried(mutation, scene.target, Proof::not_applicable, mutants.none);
  std::string text;
  for (const Mutant& mutant : mutants.list) {
    const Guard& guard = scene.guard;
    const Judgement judgement =
        ask(guard, judge, mutant.run, mutant.reference ? *mutant.reference : guard.reference);
    text = mutant.what + ": " + answer(judgement);
    if (passes(guard, judgement, scene.target) != mutation.row.harmless)
      return tried(mutation, scene.target, wrong(guard, mutation), text);
  }
  return tried(mutation, scene.target, Proof::held, text);
}

void try_all(const Guard& guard, const Judge& judge, const Target& target, const GoodRun& good,
             std::vector<Tried>& results) {
  const std::span<const Mutation> table = mutation_table();
  const bool sound = is_sound(guard, good.judgement, target);
  results.push_back(
      tried(table.front(), target, sound ? Proof::held : Proof::survived, answer(good.judgement)));
  if (!sound) {
    for (const Mutation& mutation : table.subspan(1))
      results.push_back(tried(mutation, target, Proof::not_applicable, "the reference does not pass"));
    return;
  }
  MutationContext scene = make_scene(guard, target, good.run);
  scene.tells_attempts = good.tells_attempts;
  for (const Mutation& mutation : table.subspan(1)) results.push_back(try_one(judge, mutation, scene));
}

}  // namespace

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

std::vector<Tried> selftest(const Guard& guard, const Judge& judge) {
  const Plan plan = make_plan(guard.rules, guard.metrics, guard.reference, guard.platform);
  std::vector<Tried> results;
  if (plan.targets.empty()) return results;
  GoodRun good = good_run(guard, plan, judge);
  good.tells_attempts = tells_attempts(guard, good.run);
  for (const Target& target : plan.targets)
    for (const Target& one : target.open() ? opened(target, good.run) : std::vector{target})
      try_all(guard, judge, one, good, results);
  return results;
}

std::vector<Ungated> ungated_rules(const Guard& guard) {
  std::vector<Ungated> rules;
  for (const Gap& gap : make_plan(guard.rules, guard.metrics, guard.reference, guard.platform).gaps)
    rules.push_back(gap.entry);
  return rules;
}

std::int64_t Selftest::count(Proof proof) const {
  std::int64_t count = 0;
  for (const SelftestCase& c : cases)
    count += std::count_if(c.results.begin(), c.results.end(),
                           [&](const Tried& tried) { return tried.proof == proof; });
  return count;
}

int Selftest::exit_code() const {
  if (count(Proof::survived) > 0) return exit_code::regressed;
  return count(Proof::held) > 0 ? exit_code::ok : exit_code::refused;
}

}  // namespace gate::judge
