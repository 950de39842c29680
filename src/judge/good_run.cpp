#include "judge/good_run.h"

#include <algorithm>

#include "judge/scene.h"

namespace gate::judge {

Judgement ask(const Guard& guard, const Judge& judge, const Extraction& run, const Reference& reference) {
  return judge({.rules = guard.rules,
                .metrics = guard.metrics,
                .reference = reference,
                .run = run,
                .outcome = Outcome(Exited{0}),
                .platform = guard.platform,
                .steps = std::nullopt,
                .today = ""});
}

GoodRun good_run(const Guard& guard, const Plan& plan, const Judge& judge) {
  std::size_t count = 1;
  for (const ReferenceSeries& series : guard.reference.series) count = std::max(count, series.runs.size());
  std::optional<GoodRun> first;
  for (std::size_t index = 0; index < count; ++index) {
    Extraction run = run_of(guard, plan, index);
    Judgement judgement = ask(guard, judge, run, guard.reference);
    if (judgement.verdict == Verdict::passed) return {std::move(run), std::move(judgement)};
    if (!first) first = GoodRun{std::move(run), std::move(judgement)};
  }
  return std::move(*first);
}

const Check* find_check(const Judgement& judgement, const Target& target) {
  const bool one = target.ranks.size() == 1;
  const auto it = std::find_if(judgement.checks.begin(), judgement.checks.end(), [&](const Check& check) {
    return check.rule == target.rule->name && (!one || check.rank == target.ranks.front());
  });
  return it == judgement.checks.end() ? nullptr : &*it;
}

}  // namespace gate::judge
