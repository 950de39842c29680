// Several candidate runs: their speed is judged by its mean, all else by the first.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::further_runs_test {
namespace {

constexpr auto pass = CheckStatus::pass, fail = CheckStatus::fail, incomparable = CheckStatus::incomparable;

Judgement judged_together(const Rule& rule, const std::string& reference,
                          const std::vector<std::string>& runs) {
  const std::vector<Rule> rules{rule};
  const MetricTable metrics;
  const Reference against = baseline(reference);
  std::vector<Extraction> logs;
  for (const std::string& text : runs) logs.push_back(run(text));
  std::vector<const Extraction*> further;
  for (std::size_t i = 1; i < logs.size(); ++i) further.push_back(&logs[i]);
  return judge({rules, metrics, against, logs.front(), Exited{0}, "", Mode::series, Strict::no, std::nullopt,
                "2026-06-15", further});
}

Check checked_together(const Rule& rule, const std::string& reference, const std::vector<std::string>& runs) {
  return judged_together(rule, reference, runs).checks.at(0);
}

const Rule mean_time = rule("iteration_time", "+5%", "last 2", "mean");
const std::string reference = "iteration_time 1:500.0 2:100.0 3:100.0";

TEST(FurtherRuns, SpeedIsJudgedByTheMeanOfTheReducedValues) {
  const Check check = checked_together(
      mean_time, reference, {"iteration_time 1:1 2:110.0 3:108.0", "iteration_time 1:1 2:103.0 3:101.0"});
  EXPECT_EQ(check.status, fail);
  EXPECT_EQ(Words(check).actual, "105.5");
  EXPECT_EQ(Words(check).limit, "105.0");
}

TEST(FurtherRuns, TheBoundaryBelongsToTheToleranceOfAMeanOfMeansToo) {
  const std::vector<std::string> on{"iteration_time 1:1 2:107.0 3:107.0",
                                    "iteration_time 1:1 2:105.0 3:105.0",
                                    "iteration_time 1:1 2:103.0 3:103.0"};
  EXPECT_EQ(checked_together(mean_time, reference, on).status, pass);
  std::vector<std::string> beyond = on;
  beyond.back() = "iteration_time 1:1 2:103.0 3:103.1";
  EXPECT_EQ(checked_together(mean_time, reference, beyond).status, fail);
}

TEST(FurtherRuns, OtherReducesAreMeansOfEachRunsOwn) {
  const Check check =
      checked_together(rule("iteration_time", "+5%", "last 2", "max"), reference,
                       {"iteration_time 1:1 2:104.0 3:100.0", "iteration_time 1:1 2:100.0 3:106.0"});
  EXPECT_EQ(Words(check).actual, "105.0");
  EXPECT_EQ(check.status, pass);
}

TEST(FurtherRuns, EachIsJudgedByTheMeanAtEachStep) {
  const Check check =
      checked_together(rule("iteration_time", "+5%", "last 2"), reference,
                       {"iteration_time 1:1 2:100.0 3:106.0", "iteration_time 1:1 2:110.0 3:104.0"});
  EXPECT_EQ(check.status, pass);
  EXPECT_EQ(check.compared, 2);
}

TEST(FurtherRuns, AccuracyAndMemoryAreJudgedByTheFirstAlone) {
  const std::string loss = "lm_loss 1:2.00 2:1.00";
  EXPECT_EQ(checked_together(rule("lm_loss", "±0.01"), loss, {loss, "lm_loss 1:3.00 2:3.00"}).status, pass);
  EXPECT_EQ(checked_together(rule("lm_loss", "±0.01"), loss, {"lm_loss 1:3.00 2:3.00", loss}).status, fail);
  EXPECT_EQ(checked_together(rule("memory_allocated", "+10%"), "memory_allocated/0 1:100",
                             {"memory_allocated/0 1:100", "memory_allocated/0 1:200"})
                .status,
            pass);
}

TEST(FurtherRuns, OneThatIsNotWholeMakesNoMean) {
  const std::string good = "iteration_time 1:1 2:100.0 3:100.0";
  for (const std::string bad :
       {"iteration_time 1:1 2:100.0", "iteration_time 1:1 2:nan 3:100.0",
        "iteration_time 1:nan 2:100.0 3:100.0", "iteration_time 1:1 2:100.0 3!100.0", "lm_loss 1:1"}) {
    const Judgement judgement = judged_together(mean_time, reference, {good, good, bad});
    EXPECT_EQ(judgement.checks.at(0).status, incomparable) << bad;
    EXPECT_THAT(judgement.checks.at(0).remarks, have(remark::Plain::further_run_not_whole)) << bad;
    EXPECT_EQ(judgement.verdict, Verdict::unjudged) << bad;
  }
}

TEST(FurtherRuns, AStallIsLookedForInTheMean) {
  const Check check = checked_together(
      rule("iteration_time", "+5%", "last 3", "mean"), "iteration_time 1:500.0 2:100.0 3:100.0 4:100.0",
      {"iteration_time 1:1 2:100.0 3:100.0 4:160.0", "iteration_time 1:1 2:100.0 3:100.0 4:160.0"});
  EXPECT_EQ(check.status, fail);
  EXPECT_THAT(check.remarks,
              have(remark::Stall{remark::Stall::Median::passes, 0, steps("4"), MetricKind::speed}));
}

}  // namespace
}  // namespace gate::judge::testing::further_runs_test
