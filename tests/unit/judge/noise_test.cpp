// Literals come from Python 3.11: N = statistics.NormalDist(), N.cdf, N.inv_cdf, statistics.stdev; those of
// --confirm from the same integral over 4000 trapezoids with N.pdf and N.cdf.
#include "gate/judge/noise.h"

#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::noise_test {
namespace {

using ::testing::HasSubstr;

Reference recorded(const std::vector<std::string>& runs, const std::string& platform = "") {
  Baseline all;
  all.platform = platform;
  for (const std::string& one : runs) all.runs.push_back({{}, all_series(one)});
  return make_reference(all, "baselines/case.json");
}

Noise noise_of(const Rule& rule, const std::vector<std::string>& runs, int candidates = 1,
               Confirm confirm = Confirm::no) {
  const std::vector<Noise> all =
      assess(std::vector{rule}, MetricTable(), recorded(runs), "", candidates, confirm);
  EXPECT_EQ(all.size(), 1u);
  return all.empty() ? Noise{} : all.front();
}

const std::vector<std::string> three_speeds{"throughput 1:1 2:100 3:102", "throughput 1:5 2:103 3:103",
                                            "throughput 1:9 2:98 3:100"};  // means 101, 103, 99

TEST(Normal, IsTheStandardNormalDistribution) {
  EXPECT_NEAR(normal_below(-1.96), 0.024997895148220428, 1e-15);
  EXPECT_NEAR(normal_below(0), 0.5, 1e-15);
  EXPECT_NEAR(normal_below(1), 0.8413447460685429, 1e-15);
}

TEST(Deviation, DividesByOneLessThanTheCount) {
  const std::vector<double> values{931.8, 940.1, 925.3};
  EXPECT_NEAR(*deviation_of(values), 7.418220810949248, 1e-12);
}

TEST(Deviation, OfOneValueIsNotKnown) {
  EXPECT_FALSE(deviation_of(std::vector<double>{931.8}));
  EXPECT_FALSE(deviation_of(std::vector<double>{}));
}

// Errors against the mean of the other two, in percent: 2 against 3 and 5 is 50, 3 against 2 and 5 is 100/7,
// 5 against 2 and 3 is 100.
TEST(Noise, OfAMeanRelativeErrorIsThatOfEachRunAgainstTheOthers) {
  const Rule error = rule("lm_loss", "<= 90%", "all", "mean_relative_error");
  const Noise noise = noise_of(error, {"lm_loss 1:2", "lm_loss 1:3", "lm_loss 1:5"});
  EXPECT_FALSE(noise.problem);
  EXPECT_EQ(noise.unit, "%");
  EXPECT_FALSE(noise.relative);
  EXPECT_TRUE(noise.one_sided);
  EXPECT_NEAR(*noise.s, 43.055, 0.001);
  EXPECT_NEAR(noise.allowed, 90 - 54.762, 0.001);
}

TEST(Noise, OfAMeanRelativeErrorTakesThreeRuns) {
  const Rule error = rule("lm_loss", "<= 2%", "all", "mean_relative_error");
  const Noise noise = noise_of(error, {"lm_loss 1:2", "lm_loss 1:3"});
  EXPECT_FALSE(noise.s);
  EXPECT_EQ(noise.allowed, 2);
  EXPECT_TRUE(noise_of(error, {"lm_loss 1:0"}).problem);
}

TEST(FalseFailures, FollowTheNormalDistributionOfTheDifference) {
  EXPECT_NEAR(false_failure_rate(0.05, 0.015, {1, 1}), 0.009211062727049524, 1e-12);
  EXPECT_NEAR(false_failure_rate(0.05, 0.02, {1, 1}), 0.03854993587177091, 1e-12);
  EXPECT_NEAR(false_failure_rate(0.05, 0.02, {3, 3}), 0.001099823530556543, 1e-12);
  EXPECT_NEAR(false_failure_rate(0.05, 0.03, {5, 1}), 0.06407328063283979, 1e-12);
  EXPECT_EQ(false_failure_rate(0.05, 0, {1, 1}), 0);
}

TEST(SmallestCaught, IsTheToleranceAndTheNinthDecileOfTheDifference) {
  EXPECT_NEAR(smallest_caught(0.05, 0.015, {1, 1}), 0.07718581407310471, 1e-12);
  EXPECT_NEAR(smallest_caught(0.05, 0.02, {3, 3}), 0.07092764943099483, 1e-12);
  EXPECT_NEAR(smallest_caught(0.05, 0.01, {5, 1}), 0.06403869402109677, 1e-12);
}

TEST(SmallestConfirmed, IsWhereTheFirstRunAndThePooledMeanAreBothBeyond) {
  EXPECT_NEAR(smallest_confirmed(0.05, 0.02, {3, 3}), 0.08101529992942233, 1e-8);
  EXPECT_NEAR(smallest_confirmed(0.05, 0.01, {1, 3}), 0.06934724499646108, 1e-8);
  EXPECT_NEAR(smallest_confirmed(0.05, 0.015, {5, 2}), 0.07230127946779248, 1e-8);
}

TEST(SmallestConfirmed, OfOneRunIsTheOneWithoutConfirmation) {
  EXPECT_EQ(smallest_confirmed(0.05, 0.02, {1, 1}), smallest_caught(0.05, 0.02, {1, 1}));
  EXPECT_EQ(smallest_confirmed(0.05, 0, {1, 3}), 0.05);
}

TEST(HonestSpread, MakesOneFalseRedInAHundred) {
  EXPECT_NEAR(honest_spread(0.05, {1, 1}), 0.01519778682021255, 1e-12);
  EXPECT_NEAR(false_failure_rate(0.05, honest_spread(0.05, {3, 2}), {3, 2}), 0.01, 1e-12);
}

TEST(Suite, IsRedWhereAnyCaseIs) {
  EXPECT_NEAR(any_of(std::vector<double>(70, 0.009211062727049524)), 0.47678472372464875, 1e-12);
  EXPECT_EQ(any_of({}), 0);
}

TEST(Suite, SaysHowManyNights) {
  EXPECT_EQ(nights_text(0.47678472372464875), "one false failure in two nights");
  EXPECT_EQ(nights_text(0.009), "one false failure in 111 nights");
  EXPECT_EQ(nights_text(0.9), "a false failure nearly every night");
  EXPECT_EQ(nights_text(0.0001), "less than one false failure in ten years of nightly runs");
  EXPECT_EQ(nights_text(0), "less than one false failure in ten years of nightly runs");
}

TEST(Assess, TakesTheRunsReducedValues) {
  const Noise noise = noise_of(rule("throughput", "-5%", "last 2", "mean"), three_speeds);
  EXPECT_TRUE(noise.relative);
  EXPECT_EQ(noise.runs.baseline, 3);
  EXPECT_NEAR(*noise.s, 2.0 / 101, 1e-12);
  EXPECT_NEAR(noise.allowed, 0.05, 1e-12);
  EXPECT_NEAR(*noise.rate, false_failure_rate(0.05, 2.0 / 101, {3, 1}), 1e-12);
  EXPECT_NEAR(*noise.caught, smallest_caught(0.05, 2.0 / 101, {3, 1}), 1e-12);
  EXPECT_EQ(noise_text(noise),
            "s 2 % over 3 runs; false-failure rate 1.4 %; detects a regression of 7.9 % with 90 % power");
  EXPECT_EQ(noise_text(noise).in(Language::chinese),
            "3 次运行的标准差 s 为 2 %；误报率 1.4 %；有 90 % 的概率检出 7.9 % 的劣化");
}

TEST(Assess, OfOneRunSaysThatNothingIsKnown) {
  const Noise noise = noise_of(rule("throughput", "-5%", "last 2", "mean"), {three_speeds.front()});
  EXPECT_FALSE(noise.s);
  EXPECT_FALSE(noise.rate);
  EXPECT_EQ(noise_text(noise),
            "one run: the noise between runs is not known; record --runs 3 (-5% keeps the false-failure rate "
            "within 1 % only while s <= 1.5 %)");
}

TEST(Assess, OfOneRunNamesAnHonestSpreadForOneSideAlone) {
  const std::vector<std::string> one{"iteration_time 1:9 2:100"};
  EXPECT_THAT(noise_text(noise_of(rule("iteration_time", "+10%", "last 1", "mean"), one)),
              HasSubstr("+10% keeps the false-failure rate within 1 % only while s <= 3 %"));
  EXPECT_THAT(noise_text(noise_of(rule("iteration_time", "+5", "last 1", "mean"), one)),
              HasSubstr("+5 keeps the false-failure rate within 1 % only while s <= 1.52 ms"));
  EXPECT_EQ(noise_text(noise_of(rule("iteration_time", "±5%", "last 1", "mean"), one)),
            "one run: the noise between runs is not known; record --runs 3");
}

TEST(Assess, CountsBothSidesInTheMetricsUnit) {
  const Noise noise = noise_of(rule("lm_loss", "±0.01", "last 1", "mean"),
                               {"lm_loss 1:9 2:1.004", "lm_loss 1:9 2:1.000", "lm_loss 1:9 2:0.996"});
  EXPECT_FALSE(noise.relative);
  EXPECT_NEAR(*noise.s, 0.004, 1e-12);
  EXPECT_NEAR(*noise.rate, 2 * 0.015191410988288745, 1e-9);  // N.cdf(-0.01 / (0.004 * sqrt(1 + 1/3)))
}

TEST(Assess, OfEachIsTheRateOfAnyValue) {
  const std::vector<std::string> runs{"lm_loss 1:2.000 2:1.004", "lm_loss 1:2.000 2:1.000",
                                      "lm_loss 1:2.000 2:0.996"};
  const Noise noise = noise_of(rule("lm_loss", "±0.01"), runs);
  const double s = 0.004 / std::sqrt(2.0);
  const double one = 2 * false_failure_rate(0.01, s, {3, 1});
  EXPECT_NEAR(*noise.s, s, 1e-12);
  EXPECT_NEAR(*noise.rate, 1 - (1 - one) * (1 - one), 1e-12);
}

TEST(Assess, BitEqualRunsHaveNoNoise) {
  const std::string text = "lm_loss 1:3.475878 2:1.946883";  // of which no double is the mean of three
  const Noise noise = noise_of(rule("lm_loss", "±0.01"), {text, text, text});
  EXPECT_EQ(*noise.s, 0);
  EXPECT_EQ(*noise.rate, 0);
  EXPECT_EQ(noise_text(noise), "no noise over 3 runs; detects any regression above 0.01");
  EXPECT_EQ(*noise_of(rule("lm_loss", "±0.01", "all", "mean"), {text, text, text}).s, 0);
}

TEST(Assess, IsToldInNumbersThatPeopleRead) {
  EXPECT_THAT(noise_text(noise_of(rule("lm_loss", "exact"), {"lm_loss 1:2", "lm_loss 1:3"})),
              HasSubstr("false-failure rate 100 %"));
  const std::vector<std::string> quiet{"iteration_time 1:1 2:20000", "iteration_time 1:1 2:20010"};
  EXPECT_THAT(
      noise_text(noise_of(rule("iteration_time", "+1000", "last 1", "mean"), quiet)),
      HasSubstr("s 7.07 ms over 2 runs; false-failure rate less than 0.01 %; detects a regression of 1011 "
                "ms"));
}

TEST(Assess, ExactIsRedForNothingAsSoonAsRunsDiffer) {
  EXPECT_EQ(*noise_of(rule("lm_loss", "exact"), {"lm_loss 1:2", "lm_loss 1:2"}).rate, 0);
  EXPECT_EQ(*noise_of(rule("lm_loss", "exact"), {"lm_loss 1:2", "lm_loss 1:3"}).rate, 1);
}

TEST(Assess, HasAnEntryForEachRankAndNoneForConstantsAndOtherPlatforms) {
  const std::string text = "memory_allocated/0 1:100\nmemory_allocated/1 1:100\nlm_loss 1:2";
  const std::vector<Rule> rules{rule("memory_allocated", "+10%"), rule("lm_loss", "<= 5"),
                                rule("grad_norm", "±1")};
  EXPECT_EQ(assess(rules, MetricTable(), recorded({text}), "cpu").size(), 2u);
  EXPECT_EQ(assess(rules, MetricTable(), recorded({text}, "ascend-910b3"), "cpu").size(), 0u);
}

TEST(Assess, SaysWhatTheYardstickSays) {
  const Noise none = noise_of(rule("throughput", "-5%", "after 9", "mean"), three_speeds);
  EXPECT_FALSE(none.rate);
  EXPECT_THAT(noise_text(none), HasSubstr("selects nothing"));
  const Noise zero = noise_of(rule("throughput", "-5%", "all", "mean"), {"throughput 1:0", "throughput 1:0"});
  EXPECT_THAT(noise_text(zero), HasSubstr("the baseline is 0"));
}

TEST(Assess, ConfirmationConcernsSpeedAlone) {
  const Noise speed = noise_of(rule("throughput", "-5%", "last 2", "mean"), three_speeds, 3, Confirm::yes);
  EXPECT_NEAR(*speed.rate, false_failure_rate(0.05, 2.0 / 101, {3, 3}), 1e-12);
  EXPECT_NEAR(*speed.caught, smallest_confirmed(0.05, 2.0 / 101, {3, 3}), 1e-12);
  EXPECT_THAT(noise_text(speed), HasSubstr("at most"));
  const Noise memory = noise_of(rule("memory_allocated", "+10%"),
                                {"memory_allocated/0 1:100", "memory_allocated/0 1:102"}, 3, Confirm::yes);
  EXPECT_EQ(memory.runs.candidate, 1);
}

}  // namespace
}  // namespace gate::judge::testing::noise_test
