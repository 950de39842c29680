// Speeds of which steps were left out, since a profiler ran in them.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::profiled_test {
namespace {

Judgement judged(const Rule& rule, const Reference& against, const Extraction& run, bool is_profiled) {
  const std::vector<Rule> rules{rule};
  const MetricTable metrics;
  return judge({rules,
                metrics,
                against,
                run,
                Exited{0},
                "",
                Mode::series,
                Strict::no,
                std::nullopt,
                "2026-06-15",
                {},
                {},
                {},
                Pooling::speed,
                is_profiled});
}

// Leave every sample out of the speeds of both.
void empty_speeds(Reference& against, Extraction& run) {
  const MetricTable metrics;
  for (ReferenceSeries& series : against.series) leave_out_profiled(series.runs, {{1, 9}}, metrics);
  leave_out_profiled(run.series, {{1, 9}}, metrics);
}

TEST(Profiled, ASpeedOfWhichNothingIsLeftIsNeverGreen) {
  for (const char* bound : {"+5%", "<= 1000"}) {
    for (const char* group : {"", "speed"}) {
      Rule mean = rule("iteration_time", bound, "all", "mean");
      mean.group = group;
      Reference against = baseline("lm_loss 1:1 2:1\niteration_time 1:100 2:100");
      Extraction log = run("lm_loss 1:1 2:1\niteration_time 1:100 2:100");
      EXPECT_EQ(judged(mean, against, log, false).verdict, Verdict::passed);
      empty_speeds(against, log);
      const Judgement judgement = judged(mean, against, log, true);
      EXPECT_NE(judgement.verdict, Verdict::passed) << bound << group;
      ASSERT_EQ(judgement.checks.size(), 1u) << bound << group;
      EXPECT_THAT(judgement.checks.front().remarks,
                  ::testing::Contains(Remark(remark::Plain::profiled_throughout)));
    }
  }
}

TEST(Profiled, WhatIsLeftIsJudged) {
  const Rule mean = rule("iteration_time", "+5%", "all", "mean");
  EXPECT_EQ(
      judged(mean, baseline("iteration_time 1:100 4:100"), run("iteration_time 1:100 4:100"), true).verdict,
      Verdict::passed);
  EXPECT_EQ(
      judged(mean, baseline("iteration_time 1:100 4:100"), run("iteration_time 1:100 4:200"), true).verdict,
      Verdict::regressed);
}

}  // namespace
}  // namespace gate::judge::testing::profiled_test
