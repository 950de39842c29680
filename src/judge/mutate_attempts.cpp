// Runs with two attempts: what the judge is given must be the last one.
#include <algorithm>
#include <array>

#include "judge/mutations.h"

namespace gate::judge {

namespace {

bool same_values(const Series& a, const Series& b) {
  const auto same = [](const Sample& x, const Sample& y) {
    return x.number == y.number && x.value == y.value;
  };
  return std::equal(a.samples().begin(), a.samples().end(), b.samples().begin(), b.samples().end(), same);
}

// Tell whether a log of one attempt says the same as the run, and would show where the next one begins.
bool can_be_replayed(const Scene& scene) {
  const auto goes_on = [](const Series& series) { return series.size() > 1; };
  if (std::none_of(scene.run.series.begin(), scene.run.series.end(), goes_on)) return false;
  const Extraction back = scene.guard.replay(std::span(&scene.run, 1));
  return std::all_of(scene.run.series.begin(), scene.run.series.end(), [&](const Series& series) {
    const Series* again = find_series(back.series, series.metric(), series.rank());
    return again != nullptr && same_values(series, *again);
  });
}

enum class Last { good, bad };

Mutants two_attempts(const Scene& scene, Last last) {
  const Mutants damaged = window_beyond(scene);
  if (damaged.list.empty()) return damaged;
  if (!scene.guard.replay || !can_be_replayed(scene))
    return {{}, "nothing in a log would tell its attempts apart"};
  const Mutant& bad = damaged.list.front();
  std::array<Extraction, 2> attempts{scene.run, bad.run};
  if (last == Last::good) std::swap(attempts[0], attempts[1]);
  const std::string what = (last == Last::bad ? "last attempt: " : "first attempt: ") + bad.what;
  return {{{scene.guard.replay(attempts), what, std::nullopt}}, ""};
}

}  // namespace

Mutants bad_last_attempt(const Scene& scene) { return two_attempts(scene, Last::bad); }
Mutants good_last_attempt(const Scene& scene) { return two_attempts(scene, Last::good); }

}  // namespace gate::judge
