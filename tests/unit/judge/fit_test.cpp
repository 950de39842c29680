#include "gate/judge/fit.h"

#include <gmock/gmock.h>

#include <cmath>

#include "logs.h"

namespace gate::judge::testing::fit_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const FitBound slower{Bound::Side::lower, true, 0.05};

FitBound bound_of(const std::string& tolerance) {
  return *fit_bound(rule("throughput", tolerance, "all", "mean").tolerance);
}

// Values around 100 whose standard deviation is about 1.1, always the same ones.
std::vector<double> around(double level, std::size_t count) {
  constexpr double offsets[] = {0.3, -1.2, 0.9, 0, -0.4, 1.6, -0.8, 1.1, -1.5, 0.6};
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(level * (1 + offsets[i % 10] / 100));
  return values;
}

std::vector<FitRun> runs_against(double baseline, const std::vector<double>& values) {
  std::vector<FitRun> runs;
  for (const double value : values) {
    const std::string id = "r" + std::to_string(runs.size());
    runs.push_back({id, value, baseline, adverse(value, baseline, slower) > slower.amount});
  }
  return runs;
}

TEST(RunSpread, IsTheStandardDeviationOfRunsAtOneLevel) {
  const auto spread = run_spread(around(100, 10), true);
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->freedom, 9);
  EXPECT_NEAR(spread->s, *deviation_of(around(100, 10)) / 100, 2e-3);
  EXPECT_THAT(spread->apart, IsEmpty());
}

TEST(RunSpread, NeedsEightRuns) {
  EXPECT_FALSE(run_spread(around(100, 7), true));
  EXPECT_TRUE(run_spread(around(100, 8), true));
  EXPECT_FALSE(run_spread(std::vector<double>(10, 0), true));  // a share of nothing
}

TEST(RunSpread, DoesNotTakeAChangeOfLevelForNoise) {
  std::vector<double> values = around(100, 20);
  const double before = run_spread(values, true)->s;
  for (const double value : around(90, 20)) values.push_back(value);
  const auto spread = run_spread(values, true);
  EXPECT_NEAR(spread->s, before, 1e-3);
  EXPECT_EQ(spread->newest, 20u);
  EXPECT_NEAR(spread->level, 90, 1);
}

// 40 nights that fall from +4 % to -4 % in thirteen of them, three times: what varies so is the machine.
TEST(RunSpread, TakesWavesForNoise) {
  std::vector<double> values;
  for (int night = 0; night < 40; ++night) values.push_back(100 + (night * 37 % 40 - 19.5) / 5);
  const auto spread = run_spread(values, true);
  ASSERT_TRUE(spread);
  EXPECT_NEAR(spread->s, 0.0234, 1e-3);
  EXPECT_EQ(spread->newest, 0U);
}

TEST(RunSpread, LeavesOutWhatStandsApart) {
  std::vector<double> values = around(100, 20);
  const double before = run_spread(values, true)->s;
  values[4] = 70, values[11] = 85;
  const auto spread = run_spread(values, true);
  EXPECT_THAT(spread->apart, ElementsAre(4, 11));
  EXPECT_NEAR(spread->s, before, 1e-3);
}

TEST(RunSpread, KeepsWhatIsNoException) {
  std::vector<double> values = around(100, 20);
  for (const std::size_t i : {1, 5, 8, 13, 18}) values[i] = 80;
  EXPECT_THAT(run_spread(values, true)->apart, IsEmpty());
  EXPECT_GT(run_spread(values, true)->s, 0.05);
}

TEST(FitBound, KeepsItsForm) {
  for (const char* written : {"-6.2%", "±0.013", "+2%", "±1.5%", "-12", "+0.000025"})
    EXPECT_EQ(written_bound(bound_of(written)), written);
  for (const char* other : {"exact", "±0.01 or ±1%", ">= 3", "-5% and >= 3"})
    EXPECT_FALSE(fit_bound(rule("throughput", other, "all", "mean").tolerance)) << other;
}

// t(0.99; 7) = 2.998 and sqrt(1 + 1/3) = 1.1547, two digits, rounded up.
TEST(Fit, IsThePredictionBound) {
  const auto spread = run_spread(around(100, 8), true);
  const double bound = 2.998 * spread->s * 1.1547;
  const FitBound fitted = fitted_bound(*spread, slower, {3, 1});
  EXPECT_GE(fitted.amount, bound - 1e-5);
  EXPECT_LE(fitted.amount, bound + 1e-3);
  EXPECT_LE(predicted_rate(*spread, fitted, {3, 1}), 0.01);
  EXPECT_GT(predicted_rate(*spread, {slower.side, true, bound * 0.98}, {3, 1}), 0.01);
  EXPECT_NEAR(predicted_caught(*spread, slower, {3, 1}), 0.05 + 1.415 * spread->s * 1.1547, 1e-5);
}

TEST(Fit, OfTwoSidesCountsBoth) {
  const auto spread = run_spread(around(100, 8), true);
  const FitBound both{Bound::Side::both, true, 0.05};
  EXPECT_NEAR(predicted_rate(*spread, both, {3, 1}), 2 * predicted_rate(*spread, slower, {3, 1}), 1e-12);
  EXPECT_GT(fitted_bound(*spread, both, {3, 1}).amount, fitted_bound(*spread, slower, {3, 1}).amount);
}

TEST(Fit, IsNoTighterThanTheSampleFromTwentyRunsOn) {
  std::vector<double> values = around(100, 40);
  values[7] = values[21] = 94.5;  // not apart, and far beyond what a normal value does
  const auto spread = run_spread(values, true);
  ASSERT_THAT(spread->apart, IsEmpty());
  const double by_t = 2.43 * spread->s;  // t(0.99; 39) = 2.426
  EXPECT_GT(fitted_bound(*spread, slower, {1000, 1}).amount, by_t * 1.2);
}

TEST(Fit, TakesTheFirstHalfAndChecksItOnTheOther) {
  const auto fit = fit_runs(runs_against(100, around(100, 40)), slower, {3, 1});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->fitted_on, 20u);
  EXPECT_EQ(fit->later, 20u);
  EXPECT_EQ(fit->beyond, 0u);
  EXPECT_LT(fit->fitted.amount, 0.05);
  EXPECT_LE(fit->rate, 0.01);
  EXPECT_FALSE(fit->level);
  EXPECT_EQ(fit_runs(runs_against(100, around(100, 12)), slower, {3, 1})->fitted_on, 8u);
  EXPECT_FALSE(fit_runs(runs_against(100, around(100, 7)), slower, {3, 1}));
}

TEST(Fit, TellsWhichRedRunsStayRed) {
  std::vector<double> values = around(100, 20);
  values[3] = 80;
  std::vector<FitRun> runs = runs_against(100, values);
  runs[6].was_red = true;  // by a tolerance that was tighter
  const auto fit = fit_runs(runs, {Bound::Side::lower, true, 0.005}, {3, 1});
  ASSERT_EQ(fit->red.size(), 2u);
  EXPECT_EQ(fit->red[0].run, "r3");
  EXPECT_TRUE(fit->red[0].is_red);
  EXPECT_EQ(fit->red[1].run, "r6");
  EXPECT_FALSE(fit->red[1].is_red);
  EXPECT_GT(fit->now_rate, 0.01);
}

TEST(Fit, IsNoTighterThanWhatWasGreen) {
  std::vector<double> values = around(100, 40);
  values[2] = 95.5;  // stands apart, and was green
  const auto fit = fit_runs(runs_against(100, values), slower, {3, 1});
  EXPECT_GE(fit->fitted.amount, 0.045);
  EXPECT_LE(fit->fitted.amount, 0.05);
}

TEST(Fit, TakesAllRunsWhereTheNoiseHasGrown) {
  std::vector<double> values = around(100, 20);
  for (std::size_t i = 0; i < 20; ++i) values.push_back(100 + 3.5 * (around(100, 20)[i] - 100));
  const auto fit = fit_runs(runs_against(100, values), {Bound::Side::lower, true, 0.08}, {3, 1});
  ASSERT_TRUE(fit && fit->refuted);
  EXPECT_EQ(fit->refuted->fitted_on, 20u);
  EXPECT_GE(fit->refuted->beyond, 2u);
  EXPECT_EQ(fit->fitted_on, 40u);
}

TEST(Fit, SaysThatTheLevelIsOffTheBaseline) {
  const auto fit = fit_runs(runs_against(103, around(100, 40)), slower, {3, 1});
  ASSERT_TRUE(fit && fit->level);
  EXPECT_NEAR(*fit->level, -0.029, 2e-3);
}

TEST(Fit, OfRunsWithoutNoiseIsThePresentBound) {
  const auto fit = fit_runs(runs_against(100, std::vector<double>(20, 100)), slower, {3, 1});
  ASSERT_TRUE(fit);
  EXPECT_EQ(fit->fitted.amount, slower.amount);
  EXPECT_EQ(fit->now_rate, 0);
}

TEST(FittedRules, AreWeakAboveOnePercent) {
  FittedRules all;
  EXPECT_EQ(all.exit_code(), exit_code::refused);
  all.rules.push_back({.case_name = "c", .platform = "", .rule = "r", .rank = {}, .tolerance = "-5%"});
  EXPECT_EQ(all.exit_code(), exit_code::refused);
  all.rules.front().fit.emplace();
  EXPECT_EQ(all.exit_code(), exit_code::ok);
  all.rules.front().fit->now_rate = 0.011;
  EXPECT_EQ(all.exit_code(), exit_code::regressed);
  all.rules.front().is_written = true;  // and the rate of what was fitted is 0
  EXPECT_EQ(all.exit_code(), exit_code::ok);
}

Noise noise_with(const std::string& tolerance, double s, std::size_t compared = 1) {
  Noise noise;
  noise.tolerance = tolerance;
  noise.s = s;
  noise.runs = {3, 1};
  noise.compared = compared;
  return noise;
}

// 2.3263 · 2 % · sqrt(4/3) is 5.373 %, with 2.5758 (of two sides) 5.949 %.
TEST(FittingTolerance, HasOnePercentByTheFormulasOfNoise) {
  EXPECT_EQ(fitting_tolerance(noise_with("-5%", 0.02)), "-5.4%");
  EXPECT_EQ(fitting_tolerance(noise_with("±5%", 0.02)), "±6%");
  EXPECT_EQ(fitting_tolerance(noise_with("-5", 2)), "-5.4");
  EXPECT_EQ(fitting_tolerance(noise_with("-5%", 0.02, 15)), "-7.5%");  // any of 15: 3.207 · 2.309 %
  EXPECT_EQ(fitting_tolerance(noise_with("±0.01 or ±1%", 0.02)), "");
}

}  // namespace
}  // namespace gate::judge::testing::fit_test
