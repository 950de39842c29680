// `each`: each value on its own.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::each_test {
namespace {

constexpr auto pass = CheckStatus::pass;
constexpr auto fail = CheckStatus::fail;
constexpr auto missing = CheckStatus::missing;

TEST(Each, WithinTheTolerance) {
  const Check check =
      checked(rule("lm_loss", "±0.01"), "lm_loss 1:10.50 2:10.40 3:10.30", "lm_loss 1:10.50 2:10.41 3:10.29");
  EXPECT_EQ(check.status, pass);
  EXPECT_EQ(check.compared, 3);
  EXPECT_EQ(check.misses, 0);
  EXPECT_FALSE(check.first_miss);
  EXPECT_EQ(check.rule, "lm_loss");
  EXPECT_EQ(check.numbered, Numbering::step);
  EXPECT_EQ(check.window, parse_window("all").value());
  EXPECT_EQ(check.steps, steps("1-3"));
  EXPECT_EQ(check.reduce, Reduce::each);
  EXPECT_EQ(check.tolerance, parse_tolerance("±0.01").value());
  EXPECT_EQ(check.baseline_file, "baselines/case.json");
  EXPECT_THAT(check.remarks, are(remark::NoLongerBitEqual{2, parse_tolerance("±0.01").value()}));
}

TEST(Each, ReportsTheFirstAndTheLargestMiss) {
  const Check check = checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.046010E+01 2:1.040000E+01 3:10.3 4:10.2",
                              "lm_loss 1:1.046010E+01 2:1.041104E+01 3:10.2 4:10.25");
  EXPECT_EQ(check.status, fail);
  EXPECT_EQ(check.misses, 3);
  ASSERT_TRUE(check.first_miss);
  EXPECT_EQ(check.first_miss->number, 2);
  EXPECT_EQ(MissWords(*check.first_miss).baseline, "10.40000");
  EXPECT_EQ(MissWords(*check.first_miss).actual, "10.41104");
  EXPECT_EQ(MissWords(*check.first_miss).delta, "+0.01104");
  EXPECT_EQ(check.first_miss->file, "train.log");
  EXPECT_EQ(check.first_miss->line, 102U);
  ASSERT_TRUE(check.largest);
  EXPECT_EQ(check.largest->number, 3);
  EXPECT_EQ(Words(check).baseline, "10.3");
  EXPECT_EQ(Words(check).actual, "10.2");
  EXPECT_EQ(Words(check).delta, "-0.1");
  EXPECT_EQ(Words(check).delta_percent, "-0.971 %");
  EXPECT_EQ(Words(check).limit, "10.29..10.31");
  EXPECT_EQ(Words(check).margin, "-0.09");
}

TEST(Each, StepsAreMatchedByTheirNumbersNotByPosition) {
  const char* reference = "lm_loss 10:1.0 20:2.0 30:3.0";
  EXPECT_EQ(checked(rule("lm_loss", "exact"), reference, "lm_loss 5:9.0 10:1.0 20:2.0 25:9.0 30:3.0").status,
            pass);
  EXPECT_EQ(checked(rule("lm_loss", "exact"), reference, "lm_loss 1:1.0 2:2.0 3:3.0").status, missing);
}

TEST(Each, OneSidedTolerancesStopOneSide) {
  const Rule upper = rule("memory_allocated", "+10%");
  EXPECT_EQ(checked(upper, "memory_allocated/0 1:100.0", "memory_allocated/0 1:110.0").status, pass);
  EXPECT_EQ(checked(upper, "memory_allocated/0 1:100.0", "memory_allocated/0 1:110.1").status, fail);
  EXPECT_EQ(checked(upper, "memory_allocated/0 1:100.0", "memory_allocated/0 1:1.0").status, pass);
}

TEST(Each, TheLargestDeviationIsOnTheBoundedSide) {
  const Check check = checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:100.0 2:100.0 3:100.0",
                              "memory_allocated/0 1:50.0 2:111.0 3:112.0");
  EXPECT_EQ(check.first_miss->number, 2);
  EXPECT_EQ(check.largest->number, 3);
  EXPECT_EQ(Words(check).limit, "110.0");
  EXPECT_EQ(Words(check).margin, "-2.0");
}

TEST(Each, MissesMayBeAllowed) {
  Rule two = rule("lm_loss", "±0.1");
  two.max_misses = 2;
  const Check check = checked(two, "lm_loss 1:1.0 2:1.0 3:1.0", "lm_loss 1:1.5 2:1.0 3:1.5");
  EXPECT_EQ(check.status, pass);
  EXPECT_THAT(check.remarks, have(remark::AllowedMisses{2, 3, 2, 1}));
  EXPECT_EQ(checked(two, "lm_loss 1:1.0 2:1.0 3:1.0", "lm_loss 1:1.5 2:1.5 3:1.5").status, fail);
  EXPECT_EQ(checked(two, "lm_loss 1:1.0 2:1.0 3:1.0", "lm_loss 1:1.0 2:nan 3:1.0").status, fail)
      << "never for NaN";
  EXPECT_EQ(checked(two, "lm_loss 1:1.0 2:1.0 3:1.0", "lm_loss 1:1.0 3:1.0").status, missing)
      << "nor for a gap";
}

TEST(Each, BitEqualIsSaid) {
  EXPECT_THAT(checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.50 2:2.0", "lm_loss 1:1.5E+00 2:2.0").remarks,
              are(remark::Plain::bit_equal));
  EXPECT_THAT(
      checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.50 2:2.0 3:3.0", "lm_loss 1:1.51 2:2.0 3:4.0").remarks,
      have(remark::NoLongerBitEqual{1, {}}));
}

}  // namespace
}  // namespace gate::judge::testing::each_test
