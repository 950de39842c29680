#include "suite/moved_values.h"

#include <gtest/gtest.h>

namespace gate::app::moved_values_test {
namespace {

Series series(const std::string& metric, std::optional<int> rank, const std::vector<const char*>& values) {
  Series all(metric, rank, "", Numbering::step);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] != nullptr)
      all.append({static_cast<std::int64_t>(i + 1), parse_value(values[i]).value_or(Value{}), values[i]});
  return all;
}

std::string moved(std::vector<Series> before, std::vector<Series> after) {
  Baseline was, is;
  was.runs.emplace_back().series = std::move(before);
  is.runs.emplace_back().series = std::move(after);
  return moved_values(was, is);
}

TEST(MovedValues, AreStepsAndTheFarthestOfThem) {
  const Series old = series("lm_loss", {}, {"2.0", "2.0", "2.0", "2.0"});
  EXPECT_EQ(moved({old}, {series("lm_loss", {}, {"2.0", "2.02", "2.06", "2.0"})}), "lm_loss steps 2, 3 +3 %");
  EXPECT_EQ(moved({old}, {series("lm_loss", {}, {"2.0", "1.9", "2.06", "2.0"})}), "lm_loss steps 2, 3 -5 %");
  EXPECT_EQ(moved({old}, {series("lm_loss", {}, {"2.0", "2.000", "2.0", "2.2"})}), "lm_loss step 4 +10 %");
  EXPECT_EQ(moved({old}, {old}), "") << "another reason of its acceptance is no other value";
}

TEST(MovedValues, WhatIsNoNumberOrOnOneSideAloneHasNoPercent) {
  const Series old = series("lm_loss", {}, {"2.0", "0", "2.0"});
  EXPECT_EQ(moved({old}, {series("lm_loss", {}, {"2.0", "0", "nan"})}), "lm_loss step 3");
  EXPECT_EQ(moved({old}, {series("lm_loss", {}, {"2.0", "1", "2.0"})}), "lm_loss step 2");
  EXPECT_EQ(moved({old}, {series("lm_loss", {}, {"2.0"})}), "lm_loss steps 2, 3");
  EXPECT_EQ(moved({old}, {old, series("grad_norm", {}, {"1"})}), "grad_norm step 1");
}

TEST(MovedValues, RanksOfAMetricAreOneAndManyStepsAreCounted) {
  const auto ranks = [](const char* value) {
    return std::vector{series("memory", 0, {"100", value}), series("memory", 1, {value, "100"})};
  };
  EXPECT_EQ(moved(ranks("100"), ranks("125")), "memory steps 1, 2 +25 %");
  const Series old = series("a", {}, {"1", "1", "1", "1", "1", "1", "1", "1"});
  const Series odd = series("a", {}, {"2", "1", "2", "1", "2", "1", "2", "1"});
  EXPECT_EQ(moved({old}, {odd}), "a 4 steps of 1-7 +100 %");
}

}  // namespace
}  // namespace gate::app::moved_values_test
