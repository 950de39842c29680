#include "gate/judge/difference.h"

#include <gmock/gmock.h>

#include "shown.h"

namespace gate::judge::difference_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using shown::value;

// The words at from, from + 1, ...; "" leaves a value out.
Series series(const std::vector<std::string>& words, std::int64_t from = 1,
              Numbering numbered = Numbering::step) {
  Series made("lm_loss", {}, "", numbered);
  for (const std::string& word : words) made.append({from++, parse_value(word).value_or(Value{}), word});
  return made;
}

TEST(Difference, EqualSeriesAreTheSame) {
  const Difference found = difference_of(series({"1.5", "2"}), series({"1.50", "2.0"}));
  EXPECT_TRUE(found.same());
  EXPECT_EQ(found.common, 2);
  EXPECT_EQ(found.equal, 2);
  EXPECT_EQ(found.mean_a, value("1.75"));
  EXPECT_EQ(found.delta_percent, 0);
}

TEST(Difference, FirstAndLargestAreExact) {
  const Difference found = difference_of(series({"10.1", "10.2", "10.3"}), series({"10.1", "10.21", "9.3"}));
  ASSERT_TRUE(found.first && found.largest);
  EXPECT_EQ(found.first->number, 2);
  EXPECT_EQ(found.first->a, value("10.2"));
  EXPECT_EQ(found.first->b, value("10.21"));
  EXPECT_EQ(found.first->delta, value("+0.01"));
  EXPECT_EQ(found.largest->number, 3);
  EXPECT_EQ(found.largest->delta, value("-1.0"));
  EXPECT_EQ(found.equal, 1);
}

TEST(Difference, LastOfManyDigitsIsSeen) {
  const Difference found =
      difference_of(series({"1.0000000000000000000001"}), series({"1.0000000000000000000002"}));
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->delta, value("+1E-22"));
}

TEST(Difference, OfOtherLengthTheCommonNumbersAreCompared) {
  const Difference found = difference_of(series({"1", "2", "3", "4"}), series({"2", "3"}, 2));
  EXPECT_EQ(found.common, 2);
  EXPECT_FALSE(found.first);
  EXPECT_FALSE(found.same());
  EXPECT_THAT(found.only_a, ElementsAre(1, 4));
  EXPECT_THAT(found.only_b, IsEmpty());
  EXPECT_EQ(found.mean_a, value("2.5"));
}

TEST(Difference, NotANumberOnBothSidesIsEqual) {
  const Difference found = difference_of(series({"nan", "1", "NaN"}), series({"NaN", "1", "inf"}));
  EXPECT_EQ(found.equal, 2);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->number, 3);
  EXPECT_EQ(found.first->delta, value(""));
  EXPECT_FALSE(found.largest);
  EXPECT_EQ(found.mean_b, value("1"));
  EXPECT_EQ(found.non_finite_a, "nan at 1, 3");
  EXPECT_EQ(found.non_finite_b, "inf at 3; nan at 1");
}

TEST(Difference, AsValuesNoNanIsEqualAndNothingThatIsLeftOutIsCompared) {
  const Difference found = difference_of(series({"nan", "1", "", "-inf", ""}),
                                         series({"nan", "1", "", "-inf", "2"}), Equality::as_values);
  EXPECT_EQ(found.common, 4);
  EXPECT_EQ(found.equal, 1);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->number, 1);
  EXPECT_EQ(difference_of(series({""}), series({""}), Equality::as_values).common, 0);
}

TEST(Difference, LeftOutValuesAreTold) {
  const Difference found = difference_of(series({"1", "", ""}), series({"1", "", "-inf"}));
  EXPECT_EQ(found.equal, 2);
  ASSERT_TRUE(found.first);
  EXPECT_EQ(found.first->a, value("left out"));
  EXPECT_EQ(found.first->b, value("-inf"));
  EXPECT_EQ(found.non_finite_a, "left out at 2, 3");
}

TEST(Difference, DisjointNumbersHaveNothingInCommon) {
  const Difference found = difference_of(series({"1", "2"}), series({"1", "2"}, 7));
  EXPECT_EQ(found.common, 0);
  EXPECT_EQ(found.mean_a, value(""));
  EXPECT_THAT(found.only_a, ElementsAre(1, 2));
  EXPECT_THAT(found.only_b, ElementsAre(7, 8));
}

TEST(Difference, NumberedDifferentlyHasNothingInCommon) {
  const Difference found = difference_of(series({"1"}), series({"1"}, 1, Numbering::report));
  EXPECT_EQ(found.common, 0);
  EXPECT_FALSE(found.mean_a);
}

TEST(Difference, ByTimeOnlyTheMeansAreTold) {
  const Difference found =
      difference_of(series({"1", "3"}, 10, Numbering::time), series({"3"}, 777, Numbering::time));
  EXPECT_TRUE(found.same());
  EXPECT_EQ(found.common, 0);
  EXPECT_EQ(found.mean_a, value("2"));
  EXPECT_EQ(found.delta_percent, 50);
}

TEST(Difference, MeanOfZeroHasNoPercent) {
  EXPECT_FALSE(difference_of(series({"0"}), series({"1"})).delta_percent);
}

Rule rule(const std::string& amount) {
  Rule made;
  made.name = made.metric = "lm_loss";
  made.tolerance.any_of = {{Bound{Bound::Kind::absolute, Bound::Side::both, *Decimal::parse(amount)}}};
  return made;
}

TEST(FirstBeyond, BoundaryBelongsToTheTolerance) {
  const std::vector<Rule> rules{rule("0.01")};
  const auto found = first_beyond(rules, series({"1.23", "1.23"}), series({"1.24", "1.2400001"}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at.number, 2);
  EXPECT_EQ(found->rule, "lm_loss");
  EXPECT_EQ(found->tolerance, "±0.01");
}

TEST(FirstBeyond, NotANumberIsBeyond) {
  const std::vector<Rule> rules{rule("0.01")};
  ASSERT_TRUE(first_beyond(rules, series({"1"}), series({"nan"})));
}

TEST(FirstBeyond, WindowsAndMeansAreRespected) {
  std::vector<Rule> rules{rule("0.01")};
  rules[0].window = {Window::Kind::after, 1, 0};
  EXPECT_FALSE(first_beyond(rules, series({"1", "1"}), series({"5", "1"})));
  rules[0] = rule("0.01");
  rules[0].reduce = Reduce::mean;
  EXPECT_FALSE(first_beyond(rules, series({"1", "1"}), series({"5", "1"})));
}

TEST(FirstBeyond, OtherMetricsHaveNoRule) {
  std::vector<Rule> rules{rule("0.01")};
  rules[0].metric = "grad_norm";
  EXPECT_FALSE(first_beyond(rules, series({"1"}), series({"5"})));
}

}  // namespace
}  // namespace gate::judge::difference_test
