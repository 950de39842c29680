#include "gate/places/extra_logs.h"

#include <gtest/gtest.h>

#include "../temporary.h"
#include "made_up_host.h"

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

class KeptLogs : public Temporary {};

TEST_F(KeptLogs, AreThoseOfEachNode) {
  put("log.txt", "");
  put("log.node1.txt", "");
  put("log.node2.txt", "");
  put("logs/1/rank0.log", TrainingLog{.losses = {"2.5"}}.text());
  put("logs.node2/1/rank1.log", TrainingLog{.losses = {"3.5"}}.text());
  put("logs.node3/1/rank2.log", TrainingLog{.losses = {"4.5"}}.text());  // of no node
  const Answer<Extraction> read = read_launch((root / "log.txt").string(), {"rank{rank}.log"}, {});
  ASSERT_TRUE(read);
  std::vector<std::string> names;
  for (const std::string& file : read->files)
    names.push_back(fs::Path(file).lexically_relative(root).string());
  EXPECT_EQ(join(names, " "), "log.txt log.node1.txt log.node2.txt logs/1/rank0.log logs.node2/1/rank1.log");
  EXPECT_EQ(read->lines, 2);
}

TEST(ExtraLogs, NodesHaveNamesBesideTheFirstOnes) {
  EXPECT_EQ(of_node("/a.b/log.txt", 0), "/a.b/log.txt");
  EXPECT_EQ(of_node("/a.b/log.txt", 12), "/a.b/log.node12.txt");
  EXPECT_EQ(of_node("/a.b/logs", 1), "/a.b/logs.node1");
  EXPECT_EQ(artifact_key("logs.node1"), "logs_node1");
}

}  // namespace
}  // namespace gate::app::extra_logs_test
