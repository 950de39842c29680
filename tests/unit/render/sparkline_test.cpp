#include "render/words/downsample.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gate::render::sparkline_test {
namespace {

std::string line(const std::vector<double>& values, std::size_t width = 80) {
  return sparkline(values, width);
}

TEST(Sparkline, GoesFromSmallestToLargest) { EXPECT_EQ(line({0, 1, 2, 3, 4, 5, 6, 7}), "▁▂▃▄▅▆▇█"); }
TEST(Sparkline, EqualValuesAreInTheMiddle) { EXPECT_EQ(line({3, 3, 3}), "▄▄▄"); }
TEST(Sparkline, WhatIsNoNumberIsADot) { EXPECT_EQ(line({1, NAN, 2}), "▁·█"); }
TEST(Sparkline, NothingIsNothing) { EXPECT_EQ(line({}), ""); }

TEST(Sparkline, OutlierSurvivesTheWidth) {
  std::vector<double> values(1000, 1.0);
  values[501] = 9;
  EXPECT_EQ(line(values, 4), "▁▁█▁");
}

}  // namespace
}  // namespace gate::render::sparkline_test
