#include "gate/model/numbers/profiled.h"

#include <gmock/gmock.h>

#include <limits>

#include "gate/model/numbers/sample.h"

namespace gate::profiled_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Series series_of(const std::string& metric, Numbering numbered, const std::vector<std::int64_t>& numbers,
                 const std::string& word = "1.5") {
  Series series(metric, std::nullopt, "", numbered);
  for (const std::int64_t number : numbers)
    series.append(Sample{number, parse_value(word).value_or(Value{}), word, 0, 0});
  return series;
}

std::vector<std::int64_t> numbers_left(Series series, const ProfiledSteps& profiled) {
  std::vector<Series> all{std::move(series)};
  leave_out_profiled(all, profiled, MetricTable());
  std::vector<std::int64_t> left;
  for (const Sample& sample : all.front().samples()) left.push_back(sample.number);
  return left;
}

TEST(ProfiledSteps, AreLeftOutOfSpeedsAlone) {
  const std::vector<std::int64_t> five{1, 2, 3, 4, 5};
  EXPECT_THAT(numbers_left(series_of("iteration_time", Numbering::step, five), {{2, 3}}),
              ElementsAre(1, 4, 5));
  EXPECT_THAT(numbers_left(series_of("throughput", Numbering::step, five), {{5, 9}, {1, 1}}),
              ElementsAre(2, 3, 4));
  EXPECT_THAT(numbers_left(series_of("lm_loss", Numbering::step, five), {{2, 3}}), five);
  EXPECT_THAT(numbers_left(series_of("memory_allocated", Numbering::report, five), {{2, 3}}), five);
  EXPECT_THAT(numbers_left(series_of("no_such", Numbering::step, five), {{2, 3}}), five);
  EXPECT_THAT(numbers_left(series_of("iteration_time", Numbering::step, five), {}), five);
}

TEST(ProfiledSteps, ASpeedOfTheWholeRunIsNone) {
  EXPECT_THAT(numbers_left(series_of("wall_time", Numbering::report, {1}), {{2, 3}}), IsEmpty());
}

TEST(ProfiledSteps, ASampleStandsForTheStepsSinceTheOneBefore) {
  EXPECT_EQ(steps_of_a_sample(series_of("iteration_time", Numbering::step, {10, 20, 40})), 10);
  EXPECT_EQ(steps_of_a_sample(series_of("iteration_time", Numbering::step, {7})), 1);
  EXPECT_EQ(steps_of_a_sample(series_of("iteration_time", Numbering::step, {})), 1);
  const Series tens = series_of("iteration_time", Numbering::step, {10, 20, 30, 40});
  EXPECT_THAT(numbers_left(tens, {{11, 12}}), ElementsAre(10, 30, 40));
  EXPECT_THAT(numbers_left(tens, {{20, 21}}), ElementsAre(10, 40));
  EXPECT_THAT(numbers_left(tens, {{1, 1}}), ElementsAre(20, 30, 40));
}

// A baseline lacks them already where its run was profiled.
TEST(ProfiledSteps, AreLeftOutOnceWhereTheyAreNoMore) {
  const std::vector<std::int64_t> rest{1, 2, 3, 4, 10, 11, 12};
  EXPECT_THAT(numbers_left(series_of("iteration_time", Numbering::step, rest), {{5, 9}}), rest);
  EXPECT_THAT(numbers_left(series_of("iteration_time", Numbering::step, {10, 40, 50}), {{20, 30}}),
              ElementsAre(10, 40, 50));
}

TEST(ProfiledSteps, WhatIsNoFiniteNumberStays) {
  EXPECT_THAT(numbers_left(series_of("iteration_time", Numbering::step, {1, 2}, "nan"), {{1, 2}}),
              ElementsAre(1, 2));
}

TEST(ProfiledSteps, AreToldAsRangesOnce) {
  EXPECT_EQ(to_string(ProfiledSteps{{9, 13}, {59, 63}, {9, 13}}), "steps 9-13, 59-63");
  EXPECT_EQ(to_string(ProfiledSteps{{4, 4}}), "step 4");
  EXPECT_EQ(to_string(ProfiledSteps{{1, std::numeric_limits<std::int64_t>::max()}}),
            "steps 1-9223372036854775807");
}

}  // namespace
}  // namespace gate::profiled_test
