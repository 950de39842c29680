#include "gate/judge/selftest.h"

#include <algorithm>

#include "judge/mutations.h"
#include "judge/plan.h"

namespace gate::judge {

namespace {

struct Examiner {
  const Guard& guard;
  const Judge& judge;

  Judgement ask(const Extraction& run, const Reference& reference) const {
    return judge({.rules = guard.rules,
                  .metrics = guard.metrics,
                  .reference = reference,
                  .run = run,
                  .outcome = Outcome(Exited{0}),
                  .platform = guard.platform,
                  .steps = std::nullopt,
                  .today = ""});
  }
};

const Check* check_of(const Judgement& judgement, const Target& target) {
  const bool one = target.ranks.size() == 1;
  const auto it = std::find_if(judgement.checks.begin(), judgement.checks.end(), [&](const Check& check) {
    return check.rule == target.rule->name && (!one || check.rank == target.ranks.front());
  });
  return it == judgement.checks.end() ? nullptr : &*it;
}

bool passes(const Judgement& judgement, const Target& target) {
  const Check* check = check_of(judgement, target);
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

// All variants of one mutation make one result: the first that the judge gets wrong, else the last.
Tried try_one(const Examiner& examiner, const Mutation& mutation, const Scene& scene) {
  const Mutants mutants = mutation.make(scene);
  if (mutants.list.empty()) return tried(mutation, scene.target, Proof::not_applicable, mutants.none);
  std::string text;
  for (const Mutant& mutant : mutants.list) {
    const Judgement judgement =
        examiner.ask(mutant.run, mutant.reference ? *mutant.reference : examiner.guard.reference);
    text = mutant.what + ": " + answer(judgement);
    if (passes(judgement, scene.target) != mutation.row.harmless)
      return tried(mutation, scene.target, Proof::survived, text);
  }
  return tried(mutation, scene.target, Proof::held, text);
}

// The first run of the baseline that passes; else the first one.
struct GoodRun {
  Extraction run;
  Judgement judgement;
};

GoodRun good_run(const Examiner& examiner, const Plan& plan) {
  std::size_t count = 1;
  for (const ReferenceSeries& series : examiner.guard.reference.series)
    count = std::max(count, series.runs.size());
  std::optional<GoodRun> first;
  for (std::size_t index = 0; index < count; ++index) {
    Extraction run = run_of(examiner.guard, plan, index);
    Judgement judgement = examiner.ask(run, examiner.guard.reference);
    if (judgement.verdict == Verdict::passed) return {std::move(run), std::move(judgement)};
    if (!first) first = GoodRun{std::move(run), std::move(judgement)};
  }
  return std::move(*first);
}

void try_all(const Examiner& examiner, const Target& target, const GoodRun& good,
             std::vector<Tried>& results) {
  const std::span<const Mutation> table = mutation_table();
  const bool sound = check_of(good.judgement, target) != nullptr && passes(good.judgement, target);
  results.push_back(
      tried(table.front(), target, sound ? Proof::held : Proof::survived, answer(good.judgement)));
  if (!sound) {
    for (const Mutation& mutation : table.subspan(1))
      results.push_back(tried(mutation, target, Proof::not_applicable, "the reference does not pass"));
    return;
  }
  const Scene scene = make_scene(examiner.guard, target, good.run);
  for (const Mutation& mutation : table.subspan(1)) results.push_back(try_one(examiner, mutation, scene));
}

}  // namespace

std::string_view word_of(const Tried& tried) {
  const bool harmless = tried.mutation->harmless;
  switch (tried.proof) {
    case Proof::held:
      return harmless ? "passed" : "caught";
    case Proof::survived:
      return harmless ? "REFUSED" : "SURVIVED";
    case Proof::not_applicable:
      return "n/a";
  }
  return "";
}

std::vector<Tried> selftest(const Guard& guard, const Judge& judge) {
  const Plan plan = make_plan(guard.rules, guard.metrics, guard.reference, guard.platform);
  std::vector<Tried> results;
  if (plan.targets.empty()) return results;
  const Examiner examiner{guard, judge};
  const GoodRun good = good_run(examiner, plan);
  for (const Target& target : plan.targets)
    for (const Target& one : target.open() ? opened(target, good.run) : std::vector{target})
      try_all(examiner, one, good, results);
  return results;
}

}  // namespace gate::judge
