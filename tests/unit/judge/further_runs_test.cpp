// Several candidate runs: their speed is judged by its mean, all else by the first.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::further_runs_test {
namespace {

constexpr auto pass = CheckStatus::pass, fail = CheckStatus::fail, incomparable = CheckStatus::incomparable;

Judgement judged_together(const Rule& rule, const std::string& reference,
                          const std::vector<std::string>& runs, Pooling pooling = Pooling::speed) {
  const std::vector<Rule> rules{rule};
  const MetricTable metrics;
  const Reference against = baseline(reference);
  std::vector<Extraction> logs;
  for (const std::string& text : runs) logs.push_back(run(text));
  std::vector<const Extraction*> further;
  for (std::size_t i = 1; i < logs.size(); ++i) further.push_back(&logs[i]);
  return judge({rules,
                metrics,
                against,
                logs.front(),
                Exited{0},
                "",
                Mode::series,
                Strict::no,
                std::nullopt,
                "2026-06-15",
                further,
                {},
                {},
                pooling});
}

Check checked_together(const Rule& rule, const std::string& reference, const std::vector<std::string>& runs,
                       Pooling pooling = Pooling::speed) {
  return judged_together(rule, reference, runs, pooling).checks.at(0);
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
  const Rule symmetric = rule("iteration_time", "±5%", "last 2");
  EXPECT_THAT(checked_together(symmetric, reference,
                               {"iteration_time 1:1 2:101.0 3:99.0", "iteration_time 1:1 2:99.0 3:101.0"})
                  .remarks,
              ::testing::Not(have(remark::Plain::bit_equal)));
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

// Of `repeat`: what compares values one by one, demands one very value or a constant is asked of each run;
// what reduces a run to a number, of the mean of these numbers.
TEST(RepeatedRuns, AreJudgedOneByOneWhereAMeanSaysNothing) {
  const std::string loss = "lm_loss 1:2.00 2:1.00 3:1.50";
  const std::vector<std::vector<std::string>> all_runs{
      {loss, loss, loss},
      {"lm_loss 1:2.50 2:1.50 3:2.00", "lm_loss 1:1.50 2:0.50 3:1.00"},  // their mean is the baseline
      {loss, "lm_loss 1:2.00 2:1.50 3:1.50", "lm_loss 1:2.00 2:0.50 3:1.50"},
      {loss, "lm_loss 1:2.00 2:1.00 3:1.50", "lm_loss 1:2.00 2:1.00 3:1.51"},
      {"lm_loss 1:2.90 2:1.90 3:2.40", "lm_loss 1:1.10 2:0.10 3:0.60", loss}};
  const std::vector<std::string> tolerances{"exact",  "±0.3",  "±5%",    "+0.4",       "== 1",
                                            "<= 1.6", "> 0.9", "!= 0.5", "±0.3 or ±5%"};
  int in_each = 0, by_mean = 0;

  for (const std::string reduce :
       {"each", "mean", "median", "max", "min", "last", "p90", "mean_relative_error"})
    for (const std::string& tolerance : tolerances)
      for (const std::vector<std::string>& runs : all_runs) {
        const bool is_error = reduce == "mean_relative_error";
        if (is_error && tolerance != "±5%") continue;
        const Rule asked = rule("lm_loss", is_error ? "<= 5%" : tolerance, "last 3", reduce);
        const Check check = checked_together(asked, loss, runs, Pooling::all);
        SCOPED_TRACE(reduce + " " + tolerance + " " + runs.back());
        const bool is_of_each = std::ranges::any_of(check.remarks, [](const Remark& remark) {
          return std::holds_alternative<remark::OfRuns>(remark);
        });
        const bool may_be_mean = tolerance.starts_with("±") || tolerance.front() == '+';
        EXPECT_EQ(is_of_each, reduce == "each" || is_error || !may_be_mean);
        bool has_failed = false;
        for (const std::string& one : runs) has_failed |= checked_together(asked, loss, {one}).status == fail;
        if (is_of_each) {
          EXPECT_EQ(check.status, has_failed ? fail : pass);
        }
        ++(is_of_each ? in_each : by_mean);
      }
  EXPECT_EQ(in_each, 200);
  EXPECT_EQ(by_mean, 120);
}

TEST(RepeatedRuns, AMeanIsThatOfTheReducedValues) {
  const std::vector<std::string> runs{"lm_loss 1:2.50 2:1.50", "lm_loss 1:1.50 2:0.50"};
  const Check check =
      checked_together(rule("lm_loss", "±0.1", "all", "mean"), "lm_loss 1:2.00 2:1.00", runs, Pooling::all);
  EXPECT_EQ(check.status, pass);
  EXPECT_EQ(Words(check).actual, "1.50");
  EXPECT_EQ(checked_together(rule("lm_loss", "±0.1"), "lm_loss 1:2.00 2:1.00", runs, Pooling::all).status,
            fail);
}

TEST(RepeatedRuns, TheWorstOneIsShown) {
  const Check check = checked_together(
      rule("lm_loss", "±0.1"), "lm_loss 1:2.00 2:1.00",
      {"lm_loss 1:2.05 2:1.00", "lm_loss 1:2.00 2:1.20", "lm_loss 1:2.00 2:1.11"}, Pooling::all);
  EXPECT_EQ(check.status, fail);
  EXPECT_EQ(check.first_miss->number, 2);
  EXPECT_THAT(check.remarks, have(remark::OfRuns{2, 3}));
  const Rule exact = rule("lm_loss", "exact");
  const std::string loss = "lm_loss 1:2.00 2:1.00", other = "lm_loss 1:2.00 2:9.00", cut = "lm_loss 1:2.00";
  for (const auto& runs : std::vector<std::vector<std::string>>{{other, cut}, {cut, loss, other}})
    EXPECT_EQ(checked_together(exact, loss, runs, Pooling::all).status, fail);
  EXPECT_EQ(checked_together(exact, loss, {loss, cut}, Pooling::all).status, CheckStatus::missing);
  EXPECT_THAT(check.remarks, ::testing::Not(have(remark::Plain::bit_equal)));
}

}  // namespace
}  // namespace gate::judge::testing::further_runs_test
