#include "launch/process_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gate::launch::tree_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr pid_t gate_pid = 50;
const ProcEntry gate{gate_pid, 1, 40, 'S', 1, 900};
const ProcEntry launcher{60, gate_pid, 60, 'S', 1, 1000};

ProcEntry process(pid_t pid, pid_t parent, pid_t session, std::uint64_t start = 1001, char state = 'S') {
  return {pid, parent, session, state, 1, start};
}

Marks marks(Orphans orphans = Orphans::ours) { return {{launcher}, {60}, orphans, 950, gate}; }

std::vector<pid_t> pids(std::vector<ProcEntry> all, const Marks& marked, std::set<pid_t> with_cookie = {}) {
  all.push_back(gate);
  std::vector<pid_t> found;
  for (const ProcEntry& p : members(all, marked, [&](pid_t pid) { return with_cookie.contains(pid); }))
    found.push_back(p.pid);
  return found;
}

TEST(ProcessTree, LauncherAndItsDescendants) {
  EXPECT_THAT(pids({process(62, 61, 62), process(61, 60, 61), launcher, process(70, 1, 70)}, marks()),
              UnorderedElementsAre(60, 61, 62));
}

TEST(ProcessTree, OldestComesFirstAlsoWherePidsBeganAnew) {
  EXPECT_THAT(pids({process(7, 61, 60, 1003), launcher, process(61, 60, 60, 1002)}, marks()),
              ElementsAre(60, 61, 7));
}

TEST(ProcessTree, SessionOfALauncherThatIsGone) {
  EXPECT_THAT(pids({process(61, 1, 60)}, marks()), ElementsAre(61));
}

TEST(ProcessTree, SessionNumberThatWasGivenToAnotherProcessMarksNobody) {
  EXPECT_THAT(pids({process(60, 1, 60, 5000), process(61, 60, 60, 5001)}, marks()), IsEmpty());
}

TEST(ProcessTree, DaemonIsFoundByItsCookieAndItsChildrenByTheirParent) {
  EXPECT_THAT(pids({process(71, 70, 71), process(70, 1, 70), process(72, 1, 72)}, marks(), {70}),
              UnorderedElementsAre(70, 71));
}

TEST(ProcessTree, AdoptedOrphanWithoutCookieIsOurs) {
  EXPECT_THAT(pids({process(70, gate_pid, 70)}, marks()), ElementsAre(70));
}

TEST(ProcessTree, AdoptedOrphanOfARunThatEndedBeforeIsTakenOver) {
  EXPECT_THAT(pids({process(70, gate_pid, 70, 960)}, marks()), ElementsAre(70));
}

TEST(ProcessTree, ChildFromBeforeTheFirstLaunchIsNoOrphan) {
  EXPECT_THAT(pids({process(70, gate_pid, 70, 949)}, marks()), IsEmpty());
}

TEST(ProcessTree, AdoptedOrphanIsLeftToTheLastOfSeveralRuns) {
  EXPECT_THAT(pids({process(70, gate_pid, 70)}, marks(Orphans::of_others)), IsEmpty());
}

TEST(ProcessTree, LauncherOfAnotherRunIsNoOrphan) {
  Marks both = marks();
  both.not_orphans.insert(80);
  EXPECT_THAT(pids({process(80, gate_pid, 80), process(81, 80, 81)}, both), IsEmpty());
}

TEST(ProcessTree, ChildInGatesOwnSessionIsGatesOwn) {
  EXPECT_THAT(pids({process(70, gate_pid, gate.session)}, marks()), IsEmpty());
}

TEST(ProcessTree, NeverGateItselfNorWhatIsOlderThanTheLauncher) {
  EXPECT_THAT(pids({process(45, 1, 45, 999)}, marks(), {gate_pid, 45}), IsEmpty());
}

TEST(ProcessTree, ZombiesAreNotAlive) {
  EXPECT_THAT(pids({process(60, gate_pid, 60, 1000, 'Z'), process(61, 60, 60, 1001, 'Z')}, marks()),
              IsEmpty());
}

TEST(ProcessTree, NothingWasLaunched) {
  EXPECT_THAT(pids({process(70, gate_pid, 70)}, Marks{{}, {}, Orphans::ours, 0, gate}), IsEmpty());
}

}  // namespace
}  // namespace gate::launch::tree_test
