#include "app/run/extra_logs.h"

#include <gtest/gtest.h>

namespace gate::app::extra_logs_test {
namespace {

TEST(ExtraLogs, RankIsANumberInThePath) {
  EXPECT_EQ(rank_in("out/rank{rank}.log", "out/rank3.log"), 3);
  EXPECT_EQ(rank_in("out/rank{rank}.log", "out/rank012.log"), 12);
  EXPECT_EQ(rank_in("run*/worker_{rank}/*.log", "run7/worker_5/std9.log"), 5);
  EXPECT_EQ(rank_in("{rank}/{rank}.log", "4/4.log"), 4);
  EXPECT_EQ(rank_in("out/*.log", "out/rank3.log"), std::nullopt) << "no {rank} in the glob";
}

TEST(ExtraLogs, OnlyANumberStandsForRank) {
  for (const char* path : {"out/rank.log", "out/rankx.log", "out/rank-1.log", "out/rank99999999999.log"})
    EXPECT_FALSE(matches_log("out/rank{rank}.log", path)) << path;
  EXPECT_FALSE(matches_log("{rank}/{rank}.log", "4/5.log"));
  EXPECT_TRUE(matches_log("out/*.log", "out/rankx.log"));
  EXPECT_FALSE(matches_log("out/*.log", "out/deep/x.log"));
}

}  // namespace
}  // namespace gate::app::extra_logs_test
