#include "gate/judge/trend.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

#include "gate/model/rules/grammar.h"

namespace gate::judge::trend_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t runs = 200;
constexpr int trials = 100;

// Runs of about 100 with that noise, in percent.
std::vector<double> series(unsigned seed, double noise = 1, std::size_t count = runs) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(100, noise);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(normal(random));
  return values;
}

// Let the values [from, to) be moved by that many percent.
void move(std::vector<double>& values, std::size_t from, std::size_t to, double percent) {
  for (std::size_t i = from; i < to; ++i) values[i] *= 1 + percent / 100;
}

std::vector<std::size_t> places(const LevelFit& fit) {
  std::vector<std::size_t> found;
  for (const Change& change : fit.changes) found.push_back(change.at);
  return found;
}

// Count the seeds of which there is one change, within two runs of the step.
int found_steps(std::size_t step, double percent, bool stalls) {
  int found = 0;
  for (unsigned seed = 1; seed <= trials; ++seed) {
    std::vector<double> values = series(seed);
    move(values, step, runs, percent);
    if (stalls) values[seed % 150] *= 0.5, values[(seed * 7) % 150] *= 0.6;
    const std::vector<std::size_t> at = places(fit_levels(values));
    found += at.size() == 1 && std::abs(static_cast<double>(at[0]) - static_cast<double>(step)) <= 2;
  }
  return found;
}

TEST(Trend, AStepOfFourTimesTheNoiseIsFoundInThreeRuns) {
  const int last_three = found_steps(runs - 3, -4, false), stalled = found_steps(runs - 3, -4, true);
  std::printf(
      "4 x the noise in the last 3 of %zu runs: found in %d of %d series, with two stalled runs in %d\n",
      runs, last_three, trials, stalled);
  EXPECT_GE(last_three, trials * 97 / 100);
  EXPECT_GE(stalled, trials * 97 / 100);
}

TEST(Trend, AStepOfTwiceTheNoiseIsFoundInTenRuns) {
  const int found = found_steps(runs - 10, 2, false);
  std::printf("2 x the noise in the last 10 of %zu runs: found in %d of %d series\n", runs, found, trials);
  EXPECT_GE(found, trials * 82 / 100);
}

TEST(Trend, WhereTheNoiseHidesTheRunItTellsBetweenWhich) {
  constexpr std::size_t step = 180;
  int told = 0, inside = 0, width = 0;
  for (unsigned seed = 1; seed <= trials; ++seed) {
    std::vector<double> values = series(seed);
    move(values, step, runs, -2);
    for (const Change& change : fit_levels(values).changes) {
      EXPECT_LE(change.earliest, change.at);
      EXPECT_LE(change.at, change.latest);
      ++told, width += static_cast<int>(change.latest - change.earliest);
      inside += change.earliest <= step && step <= change.latest;
    }
  }
  EXPECT_GE(inside, told * 96 / 100);
  EXPECT_LE(width, told * 8) << "a range that holds everything says nothing";

  std::vector<double> clear(runs, 100);
  move(clear, step, runs, -2);
  const Change change = fit_levels(clear).changes.at(0);
  EXPECT_EQ(change.earliest, step);
  EXPECT_EQ(change.latest, step);
}

TEST(Trend, NothingIsFoundWhereNothingMoved) {
  int alarms = 0;
  for (unsigned seed = 1001; seed <= 1000 + trials; ++seed) {
    std::vector<double> values = series(seed);
    for (unsigned i = 0; i < seed % 4; ++i) values[(seed * 31 + i * 53) % runs] *= 0.5;
    alarms += !fit_levels(values).changes.empty();
  }
  std::printf("no step, up to three stalled runs: changes in %d of %d series\n", alarms, trials);
  EXPECT_LE(alarms, trials * 2 / 100);
}

// Student's t with three degrees of freedom: its deviation is 1.4 times what neighbours tell.
TEST(Trend, HeavyTailsMakeNoChangesAndHideNone) {
  constexpr std::size_t count = 60, dip = 30;
  constexpr int many = 4 * trials;
  int alarms = 0, found = 0;
  for (unsigned seed = 1; seed <= many; ++seed) {
    std::mt19937 random(seed);
    std::student_t_distribution<double> heavy(3);
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(100 + heavy(random) / std::sqrt(3));
    alarms += !fit_levels(values).changes.empty();
    move(values, dip, dip + 4, -5);
    const std::vector<std::size_t> at = places(fit_levels(values));
    found += std::ranges::find(at, dip) != at.end();
  }
  std::printf("heavy tails: changes in %d of %d series, a dip in four runs found in %d\n", alarms, many,
              found);
  EXPECT_LE(alarms, many * 15 / 1000);
  EXPECT_GE(found, many * 95 / 100);
}

// More history makes nobody blind: 8 of 208 runs at -20 %.
TEST(Trend, ALongHistoryHidesNoStep) {
  for (const std::size_t before : {20u, 200u, 2000u}) {
    std::vector<double> values = series(3, 1, before + 8);
    move(values, before, before + 8, -20);
    EXPECT_THAT(places(fit_levels(values)), ElementsAre(before)) << before;
  }
}

TEST(Trend, ARampIsOneChangeFromItsFirstRunOn) {
  std::vector<double> values = series(5, 0.05);
  for (std::size_t i = 0; i < 20; ++i) values[100 + i] *= 1 + 0.001 * static_cast<double>(i + 1);
  move(values, 120, runs, 2);
  const LevelFit fit = fit_levels(values);
  ASSERT_THAT(fit.changes, SizeIs(1));
  const Change& ramp = fit.changes[0];
  EXPECT_EQ(ramp.shape, ChangeShape::ramp);
  EXPECT_NEAR(static_cast<double>(ramp.at), 100, 1);
  EXPECT_NEAR(static_cast<double>(ramp.until), 119, 1);
  EXPECT_NEAR(*ramp.share(), 0.02, 0.0005);
  EXPECT_NEAR(fit.levels[50], 100, 0.1);
  EXPECT_NEAR(fit.levels[109], 101, 0.1);
  EXPECT_NEAR(fit.levels[150], 102, 0.1);
}

TEST(Trend, ARampThatGoesOnEndsAtTheLastRun) {
  std::vector<double> values = series(5, 0.05);
  for (std::size_t i = 0; i < 20; ++i) values[runs - 20 + i] *= 1 - 0.001 * static_cast<double>(i + 1);
  const LevelFit fit = fit_levels(values);
  ASSERT_THAT(fit.changes, SizeIs(1));
  EXPECT_EQ(fit.changes[0].shape, ChangeShape::ramp);
  EXPECT_EQ(fit.changes[0].until, runs - 1);
}

TEST(Trend, ARampWithoutNoiseIsOneToo) {
  std::vector<double> values(100, 50);
  for (std::size_t i = 40; i < 100; ++i)
    values[i] = 50 + 0.05 * static_cast<double>(std::min<std::size_t>(i - 39, 20));
  const LevelFit fit = fit_levels(values);
  ASSERT_THAT(fit.changes, SizeIs(1));
  EXPECT_EQ(fit.changes[0].shape, ChangeShape::ramp);
  EXPECT_EQ(fit.changes[0].at, 40u);
  EXPECT_EQ(fit.changes[0].until, 59u);
}

TEST(Trend, ADipIsOverWhereItsRecoveryBegins) {
  std::vector<double> values = series(9);
  move(values, 80, 85, -20);
  const LevelFit fit = fit_levels(values);
  ASSERT_THAT(fit.changes, SizeIs(2));
  EXPECT_EQ(fit.changes[0].shape, ChangeShape::dip);
  EXPECT_EQ(fit.changes[0].at, 80u);
  EXPECT_EQ(fit.changes[0].until, 85u);
  EXPECT_EQ(fit.changes[1].shape, ChangeShape::recovery);
  EXPECT_NEAR(fit.levels[199], fit.levels[0], 0.5);
}

TEST(Trend, OneOrTwoStalledRunsAreNoChange) {
  std::vector<double> values = series(8);
  values[120] = 20;
  EXPECT_THAT(fit_levels(values).changes, IsEmpty());
  values[121] = 25;
  EXPECT_THAT(fit_levels(values).changes, IsEmpty());
  values[198] = values[199] = 20;
  EXPECT_THAT(fit_levels(values).changes, IsEmpty());
}

TEST(Trend, EachOfSeveralStepsIsFound) {
  std::vector<double> values;
  for (int i = 0; i < 30; ++i) values.push_back(100 + i % 3);
  for (int i = 0; i < 30; ++i) values.push_back(110 + i % 3);
  for (int i = 0; i < 30; ++i) values.push_back(90 + i % 3);
  const std::vector<Change> changes = fit_levels(values).changes;
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_EQ(changes[0].at, 30u);
  EXPECT_NEAR(changes[0].before, 101, 1e-9);
  EXPECT_NEAR(changes[0].after, 111, 1e-9);
  EXPECT_EQ(changes[1].at, 60u);
  EXPECT_NEAR(changes[1].before, 111, 1e-9);
  EXPECT_NEAR(changes[1].after, 91, 1e-9);
  EXPECT_NEAR(*changes[1].share(), -0.18, 0.001);
  EXPECT_EQ(changes[0].shape, ChangeShape::step);
}

TEST(Trend, WhatIsSmallerThanTheLeastIsNotTold) {
  std::vector<double> values = series(4, 0.05);
  move(values, 100, runs, -0.5);
  EXPECT_THAT(places(fit_levels(values, 0.4)), ElementsAre(100));
  EXPECT_THAT(places(fit_levels(values, 1)), IsEmpty());
  for (const double level : fit_levels(values, 1).levels) EXPECT_NEAR(level, 99.75, 0.3);
}

// By hand: with a noise of 1 / 0.9539 = 1.048, and 1.2 times as much for 15 values, each of the last seven
// lies 10 off in place of 0, and pays 4² for it; the median of the first eight is theirs.
TEST(Trend, TheGainIsWhatTheValuesPayWithoutTheChange) {
  std::vector<double> values;
  for (int i = 0; i < 15; ++i) values.push_back((i < 8 ? 100 : 110) + i % 2);
  const std::vector<Change> changes = fit_levels(values).changes;
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_NEAR(changes[0].noise, 1 / 0.9539, 1e-4);
  EXPECT_NEAR(changes[0].gain, 7 * 16, 2);
}

TEST(Trend, FewOrEqualValuesHaveNoChange) {
  for (const std::vector<double>& values :
       {std::vector<double>{}, std::vector<double>{1, 2}, std::vector<double>{1, 1, 1, 1, 9, 9, 9, 9, 9},
        std::vector<double>(50, 3.5), std::vector<double>(50, 0)}) {
    const LevelFit fit = fit_levels(values);
    EXPECT_THAT(fit.changes, IsEmpty());
    EXPECT_THAT(fit.levels, SizeIs(values.size()));
  }
  EXPECT_FALSE((Change{.before = 0, .after = 1}.share()));
}

// Values of any size, alike, alternating, far apart: an answer in which each level is beside a value.
TEST(Trend, HostileValuesHaveACourse) {
  std::mt19937 random(17);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> values;
    const int kind = trial % 7;
    for (std::size_t i = 0; i < 10 + random() % 60; ++i) {
      const double coin = static_cast<double>(random() % 1000) - 500;
      values.push_back(kind == 0   ? coin * 1e300
                       : kind == 1 ? coin * 1e-310
                       : kind == 2 ? (random() % 2 ? 1e18 : -1)
                       : kind == 3 ? std::exp(coin)
                       : kind == 4 ? static_cast<double>(i * i)
                       : kind == 5 ? (random() % 3 ? 1.7e308 : -1.7e308)
                                   : (random() % 9 ? 0 : coin));
    }
    const LevelFit fit = fit_levels(values, trial % 2 ? 0 : std::abs(values[0]) / 50);
    ASSERT_THAT(fit.levels, SizeIs(values.size())) << trial;
    std::size_t last = 0;
    for (const Change& change : fit.changes) {
      ASSERT_GE(change.at, last) << trial;
      ASSERT_LT(change.until, values.size()) << trial;
      last = std::max(change.at, change.shape == ChangeShape::ramp ? change.until : change.at);
    }
  }
}

TEST(Trend, TheLeastChangeIsAFifthOfTheTolerance) {
  EXPECT_NEAR(least_change(*parse_tolerance("-5%"), 200), 2, 1e-9);
  EXPECT_NEAR(least_change(*parse_tolerance("±0.01"), -2.5), 0.002, 1e-9);
  EXPECT_EQ(least_change(*parse_tolerance("-5%"), 0), 0);
  EXPECT_EQ(least_change(Tolerance(), 200), 0);
}

TEST(Trend, MedianOfEvenCountIsTheMeanOfTheMiddle) {
  EXPECT_EQ(median_of(std::vector<double>{4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median_of(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median_of({}), 0);
}

// Of many values a sample tells where to look: it may miss the place, or hold nothing but one value.
TEST(Trend, OfManyValuesTheOrderIsThatOfAll) {
  std::mt19937 random(7);
  for (const std::size_t count : {9'999u, 10'000u, 25'001u}) {
    for (int kind = 0; kind < 5; ++kind) {
      std::vector<double> values;
      for (std::size_t i = 0; i < count; ++i)
        values.push_back(kind == 0   ? static_cast<double>(random())
                         : kind == 1 ? static_cast<double>(random() % 3)
                         : kind == 2 ? static_cast<double>(count - i)
                         : kind == 3 ? (i % (count / 1000) == 0 ? 0.0 : static_cast<double>(random()))
                                     : 5.0);
      std::vector<double> sorted = values;
      std::ranges::sort(sorted);
      for (const std::size_t place : {std::size_t{0}, count / 3, count / 2, count - 1})
        EXPECT_EQ(value_in_order(values, place), sorted[place]) << count << " " << kind << " " << place;
      EXPECT_EQ(median_of(values), std::midpoint(sorted[(count - 1) / 2], sorted[count / 2])) << kind;
    }
  }
}

TEST(Trend, FlipsAreCountedWhereNothingElseChanged) {
  const Flips flips = flips_of({true, false, true, true}, {std::nullopt, 0, 1, std::nullopt});
  EXPECT_EQ(flips.pairs, 2u);
  EXPECT_EQ(flips.flips, 2u);
}

}  // namespace
}  // namespace gate::judge::trend_test
