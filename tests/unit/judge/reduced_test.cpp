// A window reduced to one value.
#include <gmock/gmock.h>

#include "judge/series/reduce.h"
#include "logs.h"

namespace gate::judge::testing::reduced_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Not;
using Median = remark::Stall::Median;

constexpr auto pass = CheckStatus::pass;
constexpr auto fail = CheckStatus::fail;
constexpr auto missing = CheckStatus::missing;
constexpr auto incomparable = CheckStatus::incomparable;

TEST(Reduced, AMeanIsComparedOverTheWindow) {
  const Check check = checked(rule("throughput", "-5%", "last 2", "mean"),
                              "throughput 1:10.0 2:100.0 3:101.0", "throughput 1:99.0 2:95.0 3:95.9");
  EXPECT_EQ(check.status, fail);
  EXPECT_EQ(check.steps, steps("2, 3"));
  EXPECT_EQ(Words(check).baseline, "100.5");
  EXPECT_EQ(Words(check).actual, "95.45");
  EXPECT_EQ(Words(check).delta, "-5.05");
  EXPECT_EQ(Words(check).delta_percent, "-5.02 %");
  EXPECT_EQ(Words(check).limit, "95.475");
  EXPECT_EQ(Words(check).margin, "-0.025");
  EXPECT_FALSE(check.first_miss);
  EXPECT_EQ(checked(rule("throughput", "-5%", "last 2", "mean"), "throughput 1:10.0 2:100.0 3:101.0",
                    "throughput 1:9.0 2:95.0 3:95.95")
                .status,
            pass)
      << "on the boundary";
}

TEST(Reduced, NeverOverFewerSteps) {
  const Check check = checked(rule("throughput", "-5%", "last 2", "mean"), "throughput 1:1.0 2:100.0 3:101.0",
                              "throughput 1:99.0 2:150.0");
  EXPECT_EQ(check.status, missing);
  EXPECT_EQ(Words(check).actual, "");
  EXPECT_EQ(Words(check).baseline, "100.5");
  EXPECT_THAT(check.remarks, have(remark::MissingSteps{steps("3"), 3}));
}

TEST(Reduced, BothSidesTheSameWay) {
  const char* reference = "iteration_time 1:90.0 2:10.0 3:20.0 4:90.0";
  const char* log = "iteration_time 1:10.0 2:20.0 3:30.0 4:80.0";
  EXPECT_EQ(Words(checked(rule("iteration_time", "+5%", "2..4", "median"), reference, log)).actual, "30.0");
  EXPECT_EQ(Words(checked(rule("iteration_time", "+5%", "2..4", "max"), reference, log)).baseline, "90.0");
  EXPECT_EQ(Words(checked(rule("iteration_time", "+5%", "2..4", "min"), reference, log)).delta_percent,
            "+100 %");
  EXPECT_EQ(checked(rule("iteration_time", "+5%", "all", "last"), reference, log).status, pass);
  EXPECT_EQ(checked(rule("iteration_time", "+5%", "2..4", "harmonic_mean"), reference,
                    "iteration_time 1:10.0 2:10.0 3:20.0 4:90.0")
                .status,
            pass);
}

TEST(Reduced, AStallIsToldFromASlowRun) {
  const std::string reference = flat("iteration_time", 1, 11, "100.0");
  const Rule mean = rule("iteration_time", "+5%", "last 10", "mean");
  EXPECT_THAT(
      checked(mean, reference,
              "iteration_time 1:100.0 2:100.0 3:400.0 4:100.0 5:100.0 6:100.0 7:500.0 8:100.0 9:100.0 "
              "10:100.0 11:100.0")
          .remarks,
      have(remark::Stall{Median::passes, 0, steps("3, 7"), MetricKind::speed}));
  EXPECT_THAT(checked(mean, reference, flat("iteration_time", 1, 11, "108.5")).remarks,
              have(remark::Stall{Median::fails, 8.5, {}, MetricKind::speed}));
  EXPECT_THAT(checked(mean, reference, reference).remarks, Not(have_any<remark::Stall>()));
}

TEST(ByTime, AllSamplesOfEachSideAreReduced) {
  Ask ask;
  Metric power{"power", "W", MetricKind::other, Better::none, Numbering::time, Pick::none, ""};
  ask.metrics.put(power);
  Series before("power", {}, "W", Numbering::time), now("power", {}, "W", Numbering::time);
  for (int i = 0; i < 4; ++i) before.append(sample(1000 * i, "300"));
  for (int i = 0; i < 9; ++i) now.append(sample(700 * i + 3, i == 0 ? "309" : "300"));
  Baseline recorded;
  recorded.runs.push_back({{}, {before}});
  ask.reference = make_reference(recorded, "b.json");
  ask.log.series = {now};
  ask.rules = {rule("power", "±1", "all", "mean"), rule("power", "<= 305"), rule("power", "±1")};
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.checks[1].status, pass);
  EXPECT_EQ(Words(judgement.checks[1]).actual, "301");
  EXPECT_EQ(judgement.checks[0].status, fail);
  EXPECT_EQ(judgement.checks[0].misses, 1);
  EXPECT_EQ(judgement.checks[2].status, incomparable);
  EXPECT_THAT(judgement.checks[2].remarks, are(remark::Plain::times_side_by_side));
}

TEST(Reduced, AHarmonicMeanIsOfValuesAboveZero) {
  const Rule mean = rule("throughput", "-5%", "all", "harmonic_mean");
  EXPECT_THAT(checked(mean, "throughput 1:5.0 2:5.0", "throughput 1:5.0 2:0.0").remarks,
              are(remark::NoReducedValue{remark::Side::run, Reduce::harmonic_mean}));
  EXPECT_THAT(checked(mean, "throughput 1:0.0 2:5.0", "throughput 1:5.0 2:5.0").remarks,
              are(remark::NoReducedValue{remark::Side::baseline, Reduce::harmonic_mean}));
  EXPECT_EQ(checked(mean, "throughput 1:5.0 2:5.0", "throughput 1:5.0 2:0.0").status, incomparable);
}

const Rule error = rule("lm_loss", "<= 2%", "after 1", "mean_relative_error");

TEST(Reduced, AMeanRelativeErrorIsOfBothSidesTogether) {
  const Check check = checked(error, "lm_loss 1:9.0 2:2.0 3:4.0", "lm_loss 1:1.0 2:2.1 3:3.9");
  EXPECT_EQ(check.status, fail) << "5 % and 2.5 %, and step 1 is not in the window";
  EXPECT_EQ(Words(check).actual, "3.75");
  EXPECT_EQ(check.unit, "%");
  EXPECT_EQ(Words(check).baseline, "");
  EXPECT_EQ(Words(check).limit, "2");
  EXPECT_EQ(Words(check).margin, "-1.75");
  EXPECT_EQ(check.compared, 2);
  EXPECT_FALSE(check.first_miss);
  EXPECT_EQ(checked(error, "lm_loss 1:9.0 2:2.0 3:4.0", "lm_loss 1:9.0 2:2.04 3:3.92").status, pass)
      << "on the limit";
  EXPECT_EQ(checked(error, "lm_loss 1:9.0 2:2.0 3:4.0", "lm_loss 1:9.0 2:2.04 3:3.9199").status, fail);
  EXPECT_EQ(checked(error, "lm_loss 1:9.0 2:-2.0 3:-4.0", "lm_loss 1:9.0 2:-2.1 3:-3.9").status, fail);
  EXPECT_EQ(checked(error, "lm_loss 1:9.0 2:3.0 3:7.0", "lm_loss 1:9.0 2:3.0 3:7.28").status, pass)
      << "errors of opposite signs do not cancel, those of 0 count";
}

TEST(Reduced, AMeanRelativeErrorOfWhatIsNotThereIsNeverGreen) {
  const auto of = [](const char* reference, const char* log) { return checked(error, reference, log); };
  EXPECT_EQ(of("lm_loss 1:9.0 2:2.0 3:4.0", "lm_loss 1:9.0 2:2.0").status, missing);
  EXPECT_EQ(of("lm_loss 1:9.0 2:2.0 3:4.0", "lm_loss 2:2.0 3:4.0").status, missing);
  EXPECT_EQ(of("lm_loss 1:9.0 2:2.0 3:4.0", "lm_loss 1:9.0 2:nan 3:4.0").status, fail);
  EXPECT_EQ(of("lm_loss 1:9.0 2:nan 3:4.0", "lm_loss 1:9.0 2:2.0 3:4.0").status, incomparable);
  const Check zero = of("lm_loss 1:9.0 2:0.0 3:4.0", "lm_loss 1:9.0 2:0.0 3:4.0");
  EXPECT_EQ(zero.status, incomparable);
  EXPECT_THAT(zero.remarks, are(remark::ZeroBaseline{steps("2")}));
  EXPECT_EQ(of("lm_loss 1:0.0 2:2.0", "lm_loss 1:0.0 2:2.0").status, pass) << "out of the window";
}

TEST(Reduced, AnErrorThatCannotComeBackFailsAtOnce) {
  const Check check = checked(error, "lm_loss 1:9.0 2:2.0 3:4.0", "lm_loss 1:9.0 2:2.1");
  EXPECT_EQ(check.status, fail) << "5 % of two is 2.5 %";
  EXPECT_THAT(check.remarks,
              have(remark::OutOfReach{Reduce::mean_relative_error, {{std::nullopt, shown::value("2")}}}));
}

TEST(Reduced, EveryReduceSaysWhatItTakes) {
  std::vector<std::string> lines;
  for (const ReduceRow& row : reduces())
    lines.push_back(std::string(to_string(row.reduce)) + ": " + std::string(row.doc));
  EXPECT_THAT(lines, ElementsAre("each: each value on its own", "mean: the mean",
                                 "median: the middle value; of an even count the mean of the middle two",
                                 "min: the smallest value", "max: the largest value",
                                 "last: the value with the highest number",
                                 "p90: the 90th percentile by nearest rank",
                                 "harmonic_mean: the harmonic mean, of values above 0",
                                 "trimmed_mean: the mean without the floor(n/10) smallest and largest",
                                 "mean_relative_error: the mean of |run - baseline| / |baseline| over "
                                 "matching values, in percent"));
}

}  // namespace
}  // namespace gate::judge::testing::reduced_test
