#include "judge/selftest/good_run.h"

#include <algorithm>

#include "judge/selftest/mutation_context.h"

namespace gate::judge {

namespace {

bool same_values(const Series& a, const Series& b) {
  if (a.numbered() != b.numbered()) return false;
  const auto same = [](const Sample& x, const Sample& y) {
    return x.number == y.number && x.value == y.value;
  };
  return std::equal(a.samples().begin(), a.samples().end(), b.samples().begin(), b.samples().end(), same);
}

}  // namespace

Judgement ask(const Guard& guard, const Judge& judge, const Extraction& run, const Reference& reference) {
  return judge({.rules = guard.rules,
                .metrics = guard.metrics,
                .reference = reference,
                .run = run,
                .outcome = Outcome(Exited{0}),
                .platform = guard.platform,
                .steps = std::nullopt,
                .today = "",
                .profile = guard.profile});
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

bool tells_attempts(const Guard& guard, const Extraction& run) {
  const auto goes_on = [](const Series& series) { return series.size() > 1; };
  if (!guard.replay || std::none_of(run.series.begin(), run.series.end(), goes_on)) return false;
  const Extraction back = guard.replay(std::span(&run, 1));
  return std::all_of(run.series.begin(), run.series.end(), [&](const Series& series) {
    const Series* again = find_series(back.series, series.metric(), series.rank());
    return again != nullptr && same_values(series, *again);
  });
}

const Check* find_check(const Judgement& judgement, const Target& target) {
  const bool one = target.ranks.size() == 1;
  const auto it = std::find_if(judgement.checks.begin(), judgement.checks.end(), [&](const Check& check) {
    return check.rule == target.rule->name && (!one || check.rank == target.ranks.front());
  });
  return it == judgement.checks.end() ? nullptr : &*it;
}

}  // namespace gate::judge
