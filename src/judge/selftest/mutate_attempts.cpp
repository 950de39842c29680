// Runs with two attempts: what the judge is given must be the last one.
#include <array>

#include "judge/selftest/mutations.h"

namespace gate::judge {

namespace {

enum class Last { good, bad };

Mutants two_attempts(const MutationContext& scene, Last last) {
  const Mutants damaged = window_beyond(scene);
  if (damaged.list.empty()) return damaged;
  if (!scene.tells_attempts) return {{}, "nothing in a log would tell its attempts apart"};
  const Mutant& bad = damaged.list.front();
  std::array<Extraction, 2> attempts{scene.run, bad.run};
  if (last == Last::good) std::swap(attempts[0], attempts[1]);
  const std::string what = (last == Last::bad ? "last attempt: " : "first attempt: ") + bad.what;
  return {{{scene.guard.replay(attempts), what, std::nullopt}}, ""};
}

}  // namespace

Mutants bad_last_attempt(const MutationContext& scene) { return two_attempts(scene, Last::bad); }
Mutants good_last_attempt(const MutationContext& scene) { return two_attempts(scene, Last::good); }

}  // namespace gate::judge
