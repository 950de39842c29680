#include "gate/model/numbers/step_set.h"

#include <gmock/gmock.h>

namespace gate::step_set_test {
namespace {

using testing::ElementsAre;

StepSet of(const std::vector<std::int64_t>& numbers) { return StepSet(numbers); }

TEST(StepSet, FoldsWhatFollowsOneAnother) {
  EXPECT_EQ(to_string(of({1, 2, 3, 7, 9, 10})), "1-3, 7, 9, 10");
  EXPECT_EQ(to_string(StepSet(StepSet::Range{4, 6})), "4-6");
  EXPECT_EQ(to_string(StepSet()), "");
}

TEST(StepSet, KnowsItsNumbers) {
  const StepSet steps = of({1, 2, 3, 7});
  EXPECT_EQ(steps.size(), 4);
  EXPECT_EQ(steps.front(), 1);
  EXPECT_EQ(steps.back(), 7);
  EXPECT_THAT(steps.numbers(), ElementsAre(1, 2, 3, 7));
  EXPECT_TRUE(steps.contains(3));
  EXPECT_TRUE(steps.contains(7));
  EXPECT_FALSE(steps.contains(4));
  EXPECT_FALSE(steps.contains(0));
  EXPECT_FALSE(steps.contains(8));
}

TEST(StepSet, IsReadBack) {
  for (const std::vector<std::int64_t>& numbers : std::vector<std::vector<std::int64_t>>{
           {}, {0}, {5}, {7}, {1, 2}, {1, 2, 3}, {-3, -2, 0, 9}, {1, 3, 5, 6, 7, 8, 20, 21}})
    EXPECT_EQ(StepSet::parse(to_string(of(numbers))), of(numbers)) << to_string(of(numbers));
}

TEST(StepSet, AnythingElseIsNone) {
  for (const char* text :
       {"x", "1-", "3-1", "1, 1", "2, 1", "1-3, 3", "0-99999999999", "1-9000000000000000000",
        "-9223372036854775808-9223372036854775807", "9-1", "1-3, x, 5", "1,,2"})
    EXPECT_EQ(StepSet::parse(text), std::nullopt) << text;
}

}  // namespace
}  // namespace gate::step_set_test
