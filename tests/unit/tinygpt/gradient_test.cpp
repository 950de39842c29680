// Every element of every parameter's gradient against central differences, in double: with h = 1e-5 both
// their truncation, h^2 f'''/6, and their rounding, 1e-16 / h, lie near 1e-10.
#include <gtest/gtest.h>

#include <cmath>

#include "trainer/model.h"
#include "trainer/random.h"

namespace tinygpt::gradient_test {
namespace {

constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-8;

Batch random_batch(const ModelShape& shape, std::uint64_t seed) {
  Random random(seed);
  Batch batch;
  for (std::size_t i = 0; i < shape.tokens(); ++i) {
    batch.inputs.push_back(static_cast<Token>(random.below(shape.vocabulary)));
    batch.targets.push_back(static_cast<Token>(random.below(shape.vocabulary)));
  }
  return batch;
}

// Parameters as after much training, so that no gain is 1, no shift 0 and no softmax flat.
void stir(Model<double>& model) {
  Random random(5);
  for (double& value : model.parameters().span()) value = 0.5 * random.normal();
}

double slope(Model<double>& model, const Batch& batch, double& parameter) {
  const double here = parameter;
  parameter = here + kStep;
  const double above = model.loss(batch);
  parameter = here - kStep;
  const double below = model.loss(batch);
  parameter = here;
  return (above - below) / (2 * kStep);
}

void expect_gradients_right(const ModelShape& shape) {
  Pool pool;
  Model<double> model(pool, shape, 1);
  stir(model);
  const Batch batch = random_batch(shape, 6);
  model.backward(batch);
  std::size_t moving = 0;
  for (std::size_t i = 0; i < model.layout().size; ++i) {
    const double expected = slope(model, batch, model.parameters().data[i]);
    EXPECT_NEAR(model.gradients().data[i], expected, kTolerance) << "parameter " << i;
    if (std::abs(expected) > 100 * kTolerance) ++moving;
  }
  EXPECT_GT(moving, model.layout().size * 3 / 4);  // or the comparison above would say little
}

TEST(Gradient, OfEveryParameterIsTheSlopeOfTheLoss) {
  expect_gradients_right({.vocabulary = 5, .context = 4, .width = 8, .heads = 2, .layers = 2, .batch = 2});
}

TEST(Gradient, IsRightWhereSizesAreNoMultiplesOfFour) {
  expect_gradients_right({.vocabulary = 7, .context = 5, .width = 6, .heads = 3, .layers = 1, .batch = 1});
}

TEST(Gradient, IsTheSameAfterAnEarlierBackward) {
  const ModelShape shape{.vocabulary = 5, .context = 4, .width = 4, .heads = 1, .layers = 1, .batch = 1};
  Pool pool;
  Model<double> model(pool, shape, 1);
  const Batch batch = random_batch(shape, 6);
  model.backward(batch);
  const std::vector<double> first(model.gradients().span().begin(), model.gradients().span().end());
  model.backward(random_batch(shape, 7));
  model.backward(batch);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), model.gradients().data));
}

TEST(Model, LossOfAnUntrainedOneIsNearThatOfGuessing) {
  const ModelShape shape;
  Pool pool;
  Model<float> model(pool, shape, 1);
  EXPECT_NEAR(model.loss(random_batch(shape, 3)), std::log(32.0), 0.1);
}

TEST(Model, BackwardReturnsTheLoss) {
  const ModelShape shape{.vocabulary = 5, .context = 4, .width = 8, .heads = 2, .layers = 2, .batch = 2};
  Pool pool;
  Model<double> model(pool, shape, 1);
  const Batch batch = random_batch(shape, 6);
  EXPECT_EQ(model.backward(batch), model.loss(batch));
}

TEST(Model, StartDependsOnTheSeed) {
  Pool pool;
  Model<float> a(pool, {}, 1), same(pool, {}, 1), other(pool, {}, 2);
  const auto begin = a.parameters().span().begin(), end = a.parameters().span().end();
  EXPECT_TRUE(std::equal(begin, end, same.parameters().data));
  EXPECT_FALSE(std::equal(begin, end, other.parameters().data));
}

TEST(Layout, BlocksFollowOneAnotherWithoutGaps) {
  const Layout layout = layout_of({});
  std::size_t offset = 0;
  for (const Block& block : layout.blocks) {
    EXPECT_EQ(block.offset, offset);
    offset += block.size();
  }
  EXPECT_EQ(layout.size, offset);
}

}  // namespace
}  // namespace tinygpt::gradient_test
