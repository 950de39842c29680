#include "trainer/layers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tinygpt::layers_test {
namespace {

Tensor<double> tensor(Pool& pool, std::size_t rows, std::size_t columns, const std::vector<double>& values) {
  Tensor<double> result(pool, rows, columns);
  std::copy(values.begin(), values.end(), result.span().begin());
  return result;
}

std::vector<double> values_of(const Tensor<double>& t) { return {t.span().begin(), t.span().end()}; }

TEST(Layers, LinearIsProductPlusBias) {
  Pool pool;
  const auto x = tensor(pool, 2, 3, {1, 2, 3, 4, 5, 6});
  const auto weight = tensor(pool, 3, 2, {1, 2, 3, 4, 5, 6});
  const auto bias = tensor(pool, 1, 2, {100, 200});
  Tensor<double> y(pool, 2, 2);
  linear_forward<double>(x, weight, bias, y);
  EXPECT_EQ(values_of(y), (std::vector<double>{122, 228, 149, 264}));
}

TEST(Layers, ProductCoversFoursAndTheirRest) {
  Pool pool;
  for (std::size_t k = 1; k <= 9; ++k) {
    const auto a = tensor(pool, 1, k, std::vector<double>(k, 2)),
               b = tensor(pool, k, 1, std::vector<double>(k, 3));
    auto c = tensor(pool, 1, 1, {1});
    add_product<double>(a, b, c);
    EXPECT_EQ(c.row(0)[0], 1 + 6 * static_cast<double>(k));
  }
}

TEST(Layers, LinearBackwardAddsToParametersAndOverwritesTheInput) {
  Pool pool;
  const auto x = tensor(pool, 1, 2, {2, 3}), weight = tensor(pool, 2, 1, {5, 7}),
             dy = tensor(pool, 1, 1, {10});
  auto dweight = tensor(pool, 2, 1, {1, 1}), dbias = tensor(pool, 1, 1, {1}),
       dx = tensor(pool, 1, 2, {99, 99});
  linear_backward<double>(pool, x, weight, dy, dweight, dbias, dx);
  EXPECT_EQ(values_of(dweight), (std::vector<double>{21, 31}));
  EXPECT_EQ(values_of(dbias), (std::vector<double>{11}));
  EXPECT_EQ(values_of(dx), (std::vector<double>{50, 70}));
}

TEST(Layers, NormHasMeanZeroAndVarianceOne) {
  Pool pool;
  const auto x = tensor(pool, 1, 4, {1, 2, 3, 10}), gain = tensor(pool, 1, 4, {1, 1, 1, 1});
  const Tensor<double> shift(pool, 1, 4);
  Tensor<double> moments(pool, 1, 2), y(pool, 1, 4);
  norm_forward<double>(x, gain, shift, moments, y);
  double sum = 0, squares = 0;
  for (const double v : y.span()) sum += v, squares += v * v;
  EXPECT_NEAR(sum, 0, 1e-12);
  EXPECT_NEAR(squares / 4, 12.5 / (12.5 + 1e-5), 1e-12);
}

TEST(Layers, GeluAtKnownPoints) {
  Pool pool;
  const auto x = tensor(pool, 1, 4, {0, 1, -1, 20});
  Tensor<double> y(pool, 1, 4);
  gelu_forward<double>(x, y);
  EXPECT_EQ(y.row(0)[0], 0);
  EXPECT_NEAR(y.row(0)[1], 0.841191990608, 1e-12);
  EXPECT_NEAR(y.row(0)[2], -0.158808009392, 1e-12);
  EXPECT_NEAR(y.row(0)[3], 20, 1e-12);
}

TEST(Layers, CrossEntropyOfEqualLogitsIsTheLogarithmOfTheirNumber) {
  Pool pool;
  auto logits = tensor(pool, 2, 4, {7, 7, 7, 7, -1, -1, -1, -1});
  const std::vector<Token> targets{0, 3};
  EXPECT_NEAR(cross_entropy<double>(logits, targets), std::log(4.0), 1e-15);
  EXPECT_EQ(values_of(logits),
            (std::vector<double>{-0.375, 0.125, 0.125, 0.125, 0.125, 0.125, 0.125, -0.375}));
}

TEST(Layers, CrossEntropySurvivesLargeLogits) {
  Pool pool;
  auto logits = tensor(pool, 1, 2, {1000, -1000});
  EXPECT_EQ(cross_entropy<double>(logits, std::vector<Token>{1}), 2000);
}

}  // namespace
}  // namespace tinygpt::layers_test
