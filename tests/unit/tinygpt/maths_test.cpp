#include "trainer/maths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tinygpt::maths_test {
namespace {

TEST(Maths, ExpIsThatOfTheLibrary) {
  for (double x = -707.9; x < 709; x += 0.0371) EXPECT_NEAR(exp_of(x) / std::exp(x), 1, 2e-15) << x;
  EXPECT_EQ(exp_of(0), 1);
}

TEST(Maths, ExpAtItsEnds) {
  EXPECT_EQ(exp_of(-1000), 0);
  EXPECT_EQ(exp_of(1000), std::numeric_limits<double>::infinity());
  EXPECT_EQ(exp_of(-std::numeric_limits<double>::infinity()), 0);
  EXPECT_TRUE(std::isnan(exp_of(std::numeric_limits<double>::quiet_NaN())));
}

TEST(Maths, LogIsThatOfTheLibrary) {
  for (double x = 1e-300; x < 1e300; x *= 1.37)
    EXPECT_NEAR(log_of(x), std::log(x), 1e-15 + 1e-15 * std::abs(std::log(x))) << x;
  EXPECT_EQ(log_of(1), 0);
}

TEST(Maths, TanhIsThatOfTheLibrary) {
  for (double x = -30; x < 30; x += 0.0137) EXPECT_NEAR(tanh_of(x), std::tanh(x), 1e-15) << x;
  EXPECT_EQ(tanh_of(1000), 1);
  EXPECT_EQ(tanh_of(-1000), -1);
}

}  // namespace
}  // namespace tinygpt::maths_test
