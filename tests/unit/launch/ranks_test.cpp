// Which processes of a tree are of a rank: what /proc shows of them, in literals.
#include "launch/process_tree.h"

#include <gmock/gmock.h>

namespace gate::launch::ranks_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

RankedProcess process(pid_t pid, pid_t parent, const std::string& environ) {
  ProcEntry entry;
  entry.pid = pid;
  entry.parent = parent;
  return {entry, environ + std::string("\0PATH=/bin", 10)};
}

std::vector<pid_t> pids(const std::vector<RankedProcess>& tree, int rank) {
  std::vector<pid_t> found;
  for (const ProcEntry& one : of_rank(tree, rank)) found.push_back(one.pid);
  return found;
}

TEST(Ranks, AreTheProcessesThatTheVariableNamesAndWhatTheyStarted) {
  const std::vector<RankedProcess> tree{process(10, 1, ""), process(11, 10, "RANK=0"),
                                        process(12, 10, "RANK=1"), process(13, 12, "RANK=1")};
  EXPECT_THAT(pids(tree, 1), ElementsAre(12, 13));
  EXPECT_THAT(pids(tree, 0), ElementsAre(11));
  EXPECT_THAT(pids(tree, 2), IsEmpty());
}

TEST(Ranks, ALauncherWithTheVariableOfItsNodeIsNone) {
  const std::vector<RankedProcess> tree{process(9, 1, "RANK=0"), process(10, 9, "RANK=0"),
                                        process(11, 10, "RANK=0"), process(12, 10, "RANK=1")};
  EXPECT_THAT(pids(tree, 0), ElementsAre(11));
}

TEST(Ranks, AreToldByTheFirstVariableThatAnyHas) {
  const std::string torch = "LOCAL_RANK=0" + std::string(1, '\0') + "RANK=8";
  const std::vector<RankedProcess> tree{process(10, 1, "SLURM_PROCID=0"), process(11, 10, torch)};
  EXPECT_THAT(pids(tree, 8), ElementsAre(11));
  EXPECT_THAT(pids(tree, 0), IsEmpty());
  EXPECT_THAT(pids({process(10, 1, ""), process(11, 10, "LOCAL_RANK=0")}, 0), ElementsAre(11));
}

TEST(Ranks, WhatIsNoNumberIsNoRank) {
  EXPECT_THAT(pids({process(10, 1, "RANK="), process(11, 10, "RANK=0x0"), process(12, 10, "XRANK=0")}, 0),
              IsEmpty());
  EXPECT_THAT(pids({}, 0), IsEmpty());
}

TEST(Ranks, ParentsInACircleEnd) {
  EXPECT_THAT(pids({process(10, 11, "RANK=0"), process(11, 10, "RANK=1")}, 0), IsEmpty());
}

}  // namespace
}  // namespace gate::launch::ranks_test
