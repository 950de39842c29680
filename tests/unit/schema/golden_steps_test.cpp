#include "gate/schema/golden_steps.h"

#include <gmock/gmock.h>

#include "golden.h"

namespace gate::schema::golden_steps_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::int64_t> steps_of(const Baseline& baseline, std::string_view metric) {
  std::vector<std::int64_t> steps;
  for (const Sample& sample : find_series(baseline.runs.front().series, metric, std::nullopt)->samples())
    steps.push_back(sample.number);
  return steps;
}

TEST(GoldenSteps, AreReadAsRanges) {
  EXPECT_THAT(*read_steps("2-4"), ElementsAre(2, 3, 4));
  EXPECT_THAT(*read_steps("1-2, 5,7-8"), ElementsAre(1, 2, 5, 7, 8));
  for (const char* words : {"", "0-3", "4-2", "3,2", "2,2", "a", "2-", "1-3,x", "1-3, x, 5, 7-", "-2",
                            "2-4 5", "1-9000000000000000000", "1-1000002"})
    EXPECT_FALSE(read_steps(words)) << words;
}

TEST(GoldenSteps, ReplacePositions) {
  Baseline baseline = golden(
      R"({"lm loss": [3.5, 3.4], "memo info": [{"rank": 0, "allocated memory": 1.0, "max allocated memory": 2.0}]})");
  ASSERT_TRUE(has_positions(baseline));
  const std::int64_t steps[] = {2, 4};
  ASSERT_TRUE(number_positions(baseline, steps));
  EXPECT_THAT(steps_of(baseline, "lm_loss"), ElementsAre(2, 4));
  EXPECT_FALSE(has_positions(baseline));
  EXPECT_FALSE(baseline.runs.front().series.front().assumed());
  EXPECT_THAT(baseline.notes, IsEmpty());
  EXPECT_EQ(find_series(baseline.runs.front().series, "memory_allocated", 0)->samples().front().number, 1);
}

TEST(GoldenSteps, CountPositionsWithoutAValue) {
  Baseline baseline = golden(R"({"lm loss": [3.5, "nan", 3.3, null]})");
  const std::int64_t steps[] = {2, 3, 5, 6};
  ASSERT_TRUE(number_positions(baseline, steps));
  EXPECT_THAT(steps_of(baseline, "lm_loss"), ElementsAre(2, 5));
  EXPECT_THAT(baseline.runs.front().series.front().unrecorded(), ElementsAre(3, 6));
}

TEST(GoldenSteps, RefuseAListOfAnotherLength) {
  Baseline baseline = golden(R"({"lm loss": [3.5, 3.4, 3.3], "grad norm": [1.0, 2.0]})");
  const std::int64_t steps[] = {2, 3};
  EXPECT_EQ(number_positions(baseline, steps).error().message,
            "steps 2, 3 are 2 steps, and the list of lm_loss holds 3 values");
  EXPECT_THAT(steps_of(baseline, "lm_loss"), ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace gate::schema::golden_steps_test
