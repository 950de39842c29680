#include "gate/judge/trend.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

namespace gate::judge::trend_test {
namespace {

using ::testing::SizeIs;

constexpr double noise = 0.007;  // of a run's throughput
constexpr std::size_t runs = 200;
constexpr int trials = 100;

// Runs of about 100, from the `step`-th on moved by `share`.
std::vector<double> series(unsigned seed, std::size_t step, double share) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(100, 100 * noise);
  std::vector<double> values;
  for (std::size_t i = 0; i < runs; ++i) values.push_back(normal(random) * (i < step ? 1 : 1 + share));
  return values;
}

// The step lies between the 40th and the 160th of the runs.
std::size_t step_of(unsigned seed) { return 40 + seed * 97 % 121; }

TEST(Trend, StepOfOnePercentIsFoundInNoiseOfPointSeven) {
  int found = 0, near = 0;
  for (unsigned seed = 1; seed <= trials; ++seed) {
    const auto change = change_point(series(seed, step_of(seed), 0.01));
    found += change.has_value();
    const auto apart = static_cast<double>(change ? change->at : 0) - static_cast<double>(step_of(seed));
    near += change && std::abs(apart) <= 10;
  }
  std::printf("a step of 1 %%: found in %d of %d series, within ten runs of its place in %d\n", found, trials,
              near);
  EXPECT_GE(found, 95);
  EXPECT_GE(near, 90);
}

TEST(Trend, NothingIsFoundWhereNothingMoved) {
  int alarms = 0;
  for (unsigned seed = 1001; seed <= 1000 + trials; ++seed)
    alarms += change_point(series(seed, runs, 0)).has_value();
  std::printf("no step: %d false alarms in %d series\n", alarms, trials);
  EXPECT_LE(alarms, 5);
}

TEST(Trend, SlowDriftIsFound) {
  std::vector<double> values = series(7, runs, 0);
  for (std::size_t i = 0; i < runs; ++i) values[i] *= 1 + 0.02 * static_cast<double>(i) / runs;
  EXPECT_TRUE(change_point(values));
}

TEST(Trend, OneStalledRunIsNoChange) {
  std::vector<double> values = series(8, runs, 0);
  values[120] = 20;
  EXPECT_FALSE(change_point(values));
}

TEST(Trend, EachOfSeveralStepsIsFound) {
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(100 + i % 3);
  for (int i = 0; i < 30; ++i) values.push_back(110 + i % 3);
  for (int i = 0; i < 30; ++i) values.push_back(90 + i % 3);
  const std::vector<Change> changes = change_points(values);
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_EQ(changes[0].at, 30u);
  EXPECT_EQ(changes[0].before, 101);
  EXPECT_EQ(changes[0].after, 111);
  EXPECT_EQ(changes[1].at, 60u);
  EXPECT_EQ(changes[1].before, 111);
  EXPECT_EQ(changes[1].after, 91);
  EXPECT_NEAR(*changes[1].share(), -0.18, 0.001);
}

// By hand: ranks 1..8 below 9..16 make U(8) = 2·36 - 8·17 = -64, and 2·exp(-6·64² / (16³ + 16²)) = 0.0071.
TEST(Trend, ChanceIsPettittsFormula) {
  std::vector<double> values(least_values);
  std::iota(values.begin(), values.end(), 1);
  EXPECT_FALSE(change_point(values, 0.007));
  const auto change = change_point(values, 0.0071);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->at, 8u);
  EXPECT_NEAR(change->chance, 0.00706, 0.00001);
}

TEST(Trend, FewOrEqualValuesHaveNoChange) {
  EXPECT_FALSE(change_point(std::vector<double>{}));
  EXPECT_FALSE(change_point(std::vector<double>{1, 2}));
  EXPECT_FALSE(change_point(std::vector<double>(50, 3.5)));
  EXPECT_FALSE((Change{.before = 0, .after = 1}.share()));
}

TEST(Trend, MedianOfEvenCountIsTheMeanOfTheMiddle) {
  EXPECT_EQ(median_of(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median_of(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median_of({}), 0);
}

TEST(Trend, FlipsAreCountedWhereNothingElseChanged) {
  const Flips flips = flips_of({true, false, true, true}, {std::nullopt, 0, 1, std::nullopt});
  EXPECT_EQ(flips.pairs, 2u);
  EXPECT_EQ(flips.flips, 2u);
}

}  // namespace
}  // namespace gate::judge::trend_test
