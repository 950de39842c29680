#include "trainer/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace tinygpt::optimizer_test {
namespace {

constexpr ModelShape kShape{.vocabulary = 2, .context = 2, .width = 2, .heads = 1, .layers = 1, .batch = 1};

// The first step goes by `rate` against the sign of the gradient, however large it is, and decays weights
// only.
TEST(AdamW, FirstStepIsTheSignOfTheGradient) {
  Pool pool;
  const Layout layout = layout_of(kShape);
  AdamW<double> optimizer(pool, layout);
  std::vector<double> parameters(layout.size, 2.0), gradients(layout.size, -3.0);
  optimizer.step({parameters.data(), 1, layout.size}, {gradients.data(), 1, layout.size}, 0.01, 0.5);
  for (const Block& block : layout.blocks)
    EXPECT_NEAR(parameters[block.offset], 2 + 0.01 - (block.role == Role::weight ? 0.01 * 0.1 * 2 : 0), 1e-9);
}

// The published algorithm, line by line, on one number without decay.
TEST(AdamW, FollowsThePaperForThreeSteps) {
  Pool pool;
  const Layout layout = layout_of(kShape);
  AdamW<double> optimizer(pool, layout);
  std::vector<double> parameters(layout.size, 1.0);
  const std::size_t gain = layout.final_norm.gain.offset;
  double x = 1, m = 0, v = 0;
  for (int t = 1; t <= 3; ++t) {
    const double g = 0.3 * t - 0.5;
    const std::vector<double> gradients(layout.size, g);
    optimizer.step({parameters.data(), 1, layout.size}, {gradients.data(), 1, layout.size}, 0.1, 1);
    m = 0.9 * m + 0.1 * g;
    v = 0.95 * v + 0.05 * g * g;
    x -= 0.1 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.95, t))) + 1e-8);
    EXPECT_NEAR(parameters[gain], x, 1e-12) << "step " << t;
  }
}

TEST(Clipping, ShortensOnlyWhatIsTooLong) {
  EXPECT_EQ(clip_factor(0.5, 1), 1);
  EXPECT_NEAR(clip_factor(4, 1), 0.25, 1e-6);
  EXPECT_EQ(clip_factor(0, 1), 1);
}

TEST(Norm, IsEuclidean) {
  EXPECT_EQ(norm_of<float>(std::vector<float>{3, 4}), 5);
  EXPECT_TRUE(std::isnan(norm_of<float>(std::vector<float>{1, std::numeric_limits<float>::quiet_NaN()})));
}

TEST(LearningRate, RisesThenFallsToATenth) {
  EXPECT_NEAR(learning_rate(0.3, 1, 30), 0.1, 1e-15);
  EXPECT_NEAR(learning_rate(0.3, 3, 30), 0.3, 1e-15);
  EXPECT_LT(learning_rate(0.3, 4, 30), 0.3);
  EXPECT_NEAR(learning_rate(0.3, 30, 30), 0.03, 1e-15);
}

TEST(LearningRate, OfASingleStepIsThePeak) { EXPECT_EQ(learning_rate(0.3, 1, 1), 0.3); }

}  // namespace
}  // namespace tinygpt::optimizer_test
