#include "gate/judge/apart.h"

#include <gmock/gmock.h>

namespace gate::judge {
namespace {

// Values of the steps from `from` on; "" has none.
Series series(const std::vector<std::string>& words, std::int64_t from = 1) {
  Series made("lm_loss", {}, "", Numbering::step);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto number = from + static_cast<std::int64_t>(i);
    if (words[i] == "-") made.append(Sample{number, Value{}, "", 0, 0});
    if (const auto value = parse_value(words[i])) made.append(Sample{number, *value, words[i], 0, 0});
  }
  return made;
}

TEST(Apart, ThatArePrintedOtherwiseAreTheSame) {
  const Distance found = distance(series({"1.50", "2.0E+00", "nan"}), series({"1.5", "2", "NaN"}));
  EXPECT_TRUE(found.same());
  EXPECT_EQ(found.common, 3);
  EXPECT_FALSE(found.first);
  EXPECT_FALSE(found.largest);
  EXPECT_EQ(*found.share(), 0);
}

TEST(Apart, FirstAndLargestDifferenceAreTold) {
  const Distance found =
      distance(series({"2.5", "2.40", "2.3", "2.2"}), series({"2.5", "2.41", "2.0", "2.3"}));
  EXPECT_EQ(found.different, 3);
  EXPECT_EQ(found.first->number, 2);
  EXPECT_EQ(found.first->a, "2.40");
  EXPECT_EQ(found.first->b, "2.41");
  EXPECT_EQ(found.first->delta, "+0.01");
  EXPECT_EQ(found.largest->number, 3);
  EXPECT_EQ(found.largest->delta, "-0.3");
  EXPECT_NEAR(*found.share(), (9.21 - 9.4) / 9.4, 1e-12);
}

TEST(Apart, SidesMayHaveNumbersOfTheirOwn) {
  const Distance found = distance(series({"1", "2", "3"}), series({"2", "3", "4"}, 2));
  EXPECT_EQ(found.common, 2);
  EXPECT_EQ(found.only_a, 1);
  EXPECT_EQ(found.only_b, 1);
  EXPECT_EQ(found.different, 0);
  EXPECT_FALSE(found.same());
}

TEST(Apart, WhatIsNoNumberDiffersAndHasNoDelta) {
  const Distance found = distance(series({"1", "nan", "-"}), series({"1", "2", "3"}));
  EXPECT_EQ(found.different, 2);
  EXPECT_EQ(found.first->a, "nan");
  EXPECT_EQ(found.first->delta, "");
  EXPECT_FALSE(found.largest);
  EXPECT_EQ(*found.mean_b, 1);
}

TEST(Apart, NothingInCommonHasNoMean) {
  const Distance found = distance(series({"1"}), series({"1"}, 7));
  EXPECT_EQ(found.common, 0);
  EXPECT_FALSE(found.share());
  EXPECT_FALSE((distance(series({"0"}), series({"1"})).share()));
}

}  // namespace
}  // namespace gate::judge
