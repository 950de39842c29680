// Several ranks and several baseline runs.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::several_test {
namespace {

constexpr auto pass = CheckStatus::pass;
constexpr auto fail = CheckStatus::fail;

TEST(Ranks, CombinedPerStepFirst) {
  Rule slowest = rule("iteration_time", "+5%", "all", "mean");
  slowest.rank = RankMode::max;
  const char* reference = "iteration_time/0 1:100.0 2:100.0\niteration_time/1 1:90.0 2:110.0";
  const Check check =
      checked(slowest, reference, "iteration_time/0 1:120.0 2:100.0\niteration_time/1 1:90.0 2:101.0");
  EXPECT_EQ(Words(check).baseline, "105.0");
  EXPECT_EQ(Words(check).actual, "110.5");
  EXPECT_EQ(check.status, fail);
  EXPECT_FALSE(check.rank);
  Rule average = rule("iteration_time", "+5%");
  average.rank = RankMode::mean;
  EXPECT_EQ(checked(average, reference, "iteration_time/0 1:99.5 2:110.5\niteration_time/1 1:100.0 2:110.0")
                .first_miss,
            std::nullopt);
  EXPECT_EQ(
      checked(average, reference, "iteration_time/0 1:99.6 2:110.5\niteration_time/1 1:100.0 2:110.0").status,
      fail);
}

TEST(Ranks, CombinedNeedTheSameSet) {
  Rule slowest = rule("iteration_time", "+5%");
  slowest.rank = RankMode::min;
  const char* reference = "iteration_time/0 1:1.00\niteration_time/1 1:2.00";
  EXPECT_THAT(checked(slowest, reference, "iteration_time/0 1:1.00").remarks, are(remark::NotInRun{{1}}));
  EXPECT_THAT(
      checked(slowest, reference, "iteration_time/0 1:1.00\niteration_time/1 1:2.00\niteration_time/7 1:2.00")
          .remarks,
      are(remark::NotInBaseline{{7}}));
  EXPECT_EQ(checked(slowest, reference, "iteration_time/0 1:1.00\niteration_time/1 1:nan").status, fail);
}

TEST(Ranks, WhatHasNoRankIsNotInABaselineOfRanks) {
  const Judgement judgement = judged({rule("memory_allocated", "+10%")}, "memory_allocated/0 1:5.00",
                                     "memory_allocated/0 1:5.00\nmemory_allocated 1:5.00");
  EXPECT_EQ(judgement.verdict, Verdict::unjudged);
  ASSERT_EQ(judgement.checks.size(), 2U);
  EXPECT_FALSE(judgement.checks[1].rank);
  EXPECT_THAT(judgement.checks[1].remarks, are(remark::Plain::rank_not_in_baseline));
}

TEST(SeveralRuns, MakeOneReference) {
  const std::vector<std::string> runs{"lm_loss 1:1.00 2:2.00", "lm_loss 1:1.10 2:2.10"};
  EXPECT_EQ(against(rule("lm_loss", "±0.05"), runs, "lm_loss 1:1.10 2:2.00").status, pass);
  EXPECT_EQ(MissWords(*against(rule("lm_loss", "±0.05"), runs, "lm_loss 1:1.11 2:2.00").first_miss).baseline,
            "1.05");
  EXPECT_EQ(against(rule("lm_loss", "±0.05", "all", "mean"), runs, "lm_loss 1:1.10 2:2.10").status, pass);
  EXPECT_EQ(Words(against(rule("lm_loss", "±0.05", "all", "mean"), runs, "lm_loss 1:1.10 2:2.12")).limit,
            "1.50..1.60");
}

TEST(SeveralRuns, ExactMeansOneAndTheSameRun) {
  const std::vector<std::string> runs{"lm_loss 1:1.00 2:2.00", "lm_loss 1:1.10 2:2.10"};
  EXPECT_EQ(against(rule("lm_loss", "exact"), runs, "lm_loss 1:1.10 2:2.10").status, pass);
  EXPECT_EQ(against(rule("lm_loss", "exact"), runs, "lm_loss 1:1.00 2:2.10").status, fail);
  EXPECT_EQ(against(rule("lm_loss", "exact"), runs, "lm_loss 1:1.00 2:2.10").first_miss->number, 2);
}

TEST(SeveralRuns, MustHoldTheSameSteps) {
  EXPECT_THAT(against(rule("lm_loss", "±0.05", "all", "mean"), {"lm_loss 1:1.00 2:2.00", "lm_loss 1:1.10"},
                      "lm_loss 1:1.00 2:2.00")
                  .remarks,
              are(remark::Plain::baseline_ragged));
}

}  // namespace
}  // namespace gate::judge::testing::several_test
