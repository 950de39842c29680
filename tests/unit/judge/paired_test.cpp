// Literals: t from the tables of Student's distribution; probabilities and intervals from Simpson's rule over
// its density in Python 3.11 (math.lgamma).
#include "gate/judge/paired.h"

#include <gmock/gmock.h>

#include <limits>
#include <string>
#include <vector>

namespace gate::judge::testing::paired_test {
namespace {

const std::vector<PairValues> slower{{100, 97}, {102, 98}, {99, 97}, {101, 97.5}};

AbAnswer answer(const std::vector<PairValues>& pairs, PairDesign design = {},
                Better better = Better::higher) {
  const auto change = paired_change(pairs, design, better);
  return change ? change->answer : AbAnswer::undecided;
}

TEST(StudentsT, IsBeyondWithTheKnownProbability) {
  EXPECT_NEAR(t_beyond(0, 5), 1, 1e-15);
  EXPECT_NEAR(t_beyond(1, 1), 0.5, 1e-12);
  EXPECT_NEAR(t_beyond(4.303, 2), 0.04999252498521989, 1e-12);
  EXPECT_NEAR(t_beyond(0.5, 3), 0.6514479648481515, 1e-12);
  EXPECT_NEAR(t_beyond(2.776, 4), 0.05002277831997137, 1e-12);
  EXPECT_NEAR(t_beyond(3.5, 7), 0.00999304088188957, 1e-12);
  EXPECT_NEAR(t_beyond(1.372, 10), 0.20005534139943626, 1e-12);
  EXPECT_NEAR(t_beyond(2.0, 29), 0.05494363718297002, 1e-12);
}

TEST(StudentsT, HasTheLimitsOfTheTables) {
  EXPECT_NEAR(t_limit(0.1, 1), 6.313752, 1e-6);
  EXPECT_NEAR(t_limit(0.05, 2), 4.302653, 1e-6);
  EXPECT_NEAR(t_limit(0.05, 4), 2.776445, 1e-6);
  EXPECT_NEAR(t_limit(0.01, 7), 3.499483, 1e-6);
  EXPECT_NEAR(t_limit(0.05, 9), 2.262157, 1e-6);
  EXPECT_NEAR(t_limit(0.001, 30), 3.645959, 1e-6);
  EXPECT_NEAR(t_limit(0.025 / 7, 3), 8.37381261785612, 1e-8);
}

TEST(Pairs, AreLaunchedAbbaBaab) {
  std::string order;
  for (int pair = 0; pair < 8; ++pair) order += begins_with_b(pair) ? "BA" : "AB";
  EXPECT_EQ(order, "ABBABAABBAABABBA");
}

TEST(Pairs, SpendTheErrorOverAllLooks) {
  for (const int most : {3, 4, 10, 1000}) {
    const PairDesign design{.most = most};
    double sum = 0;
    for (int pairs = least_pairs; pairs <= most; ++pairs) sum += error_at(design, pairs);
    EXPECT_NEAR(sum, 0.05, 1e-12) << most;
  }
}

TEST(PairedChange, HasTheIntervalOfItsLook) {
  const auto change = paired_change(slower, {}, Better::higher);
  ASSERT_TRUE(change);
  EXPECT_EQ(change->pairs, 4);
  EXPECT_NEAR(change->change, -0.031043333728862907, 1e-12);
  EXPECT_NEAR(change->low, -0.06444762156062, 1e-9);
  EXPECT_NEAR(change->high, 0.0035536681307375673, 1e-9);
  EXPECT_NEAR(change->shown, 0.010837482597966915, 1e-9);
  EXPECT_EQ(change->answer, AbAnswer::undecided);
}

TEST(PairedChange, IsWorseWhereTheIntervalLiesOnTheWorseSide) {
  EXPECT_EQ(answer(slower, {.most = 4}), AbAnswer::worse) << "the last look has half of the error";
  EXPECT_EQ(answer(slower, {.most = 4}, Better::lower), AbAnswer::better);
  EXPECT_EQ(answer({{97, 100}, {98, 102}, {97, 99}, {97.5, 101}}, {.most = 4}, Better::lower),
            AbAnswer::worse);
}

TEST(PairedChange, IsNoneWithinWhatIsTolerated) {
  const std::vector<PairValues> even{{100, 100.2}, {100.2, 100}, {100, 99.9}, {100.1, 100.1}};
  EXPECT_EQ(answer(even), AbAnswer::none);
  EXPECT_EQ(answer(even, {.change = 0.002}), AbAnswer::undecided);
}

TEST(PairedChange, OfNextToNothingIsNoneHoweverSure) {
  const std::vector<PairValues> bytes{{1000, 1000.1}, {1000, 1000.1}, {1000, 1000.1}};
  EXPECT_EQ(answer(bytes, {}, Better::lower), AbAnswer::none);
  EXPECT_EQ(answer({{1000, 1002}, {1000, 1002}, {1000, 1002}}, {}, Better::lower), AbAnswer::worse);
}

TEST(PairedChange, NeedsThreePairsOfUsableValues) {
  EXPECT_FALSE(paired_change(std::span(slower).first(2), {}, Better::higher));
  EXPECT_FALSE(paired_change({}, {}, Better::higher));
  for (const double odd :
       {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
    EXPECT_FALSE(paired_change(std::vector<PairValues>{{1, 1}, {1, 1}, {1, odd}}, {}, Better::higher)) << odd;
}

}  // namespace
}  // namespace gate::judge::testing::paired_test
