#include "trainer/attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "trainer/random.h"

namespace tinygpt::attention_test {
namespace {

constexpr AttentionShape kShape{.sequences = 2, .context = 4, .heads = 2};
constexpr std::size_t kRows = 8, kWidth = 6;

struct Attention {
  Tensor<double> probabilities, mixed;
};

Tensor<double> random_qkv(Pool& pool) {
  Tensor<double> qkv(pool, kRows, 3 * kWidth);
  Random random(1);
  for (double& value : qkv.span()) value = random.normal();
  return qkv;
}

Attention attend(Pool& pool, const Tensor<double>& qkv) {
  Attention result{{pool, kRows * kShape.heads, kShape.context}, {pool, kRows, kWidth}};
  attention_forward<double>(kShape, qkv, result.probabilities, result.mixed);
  return result;
}

bool row_differs(const Tensor<double>& a, const Tensor<double>& b, std::size_t row) {
  return !std::equal(a.row(row), a.row(row) + a.columns(), b.row(row));
}

TEST(Attention, ATokenChangesItselfAndLaterOnesOfItsSequenceAlone) {
  Pool pool;
  Tensor<double> qkv = random_qkv(pool);
  const Attention before = attend(pool, qkv);
  for (std::size_t j = 0; j < qkv.columns(); ++j) qkv.row(2)[j] += 1;  // sequence 0, token 2
  const Attention after = attend(pool, qkv);
  for (std::size_t row = 0; row < kRows; ++row)
    EXPECT_EQ(row_differs(before.mixed, after.mixed, row), row == 2 || row == 3) << "row " << row;
}

TEST(Attention, ProbabilitiesAddUpToOneAndIgnoreTheFuture) {
  Pool pool;
  const Attention result = attend(pool, random_qkv(pool));
  for (std::size_t row = 0; row < result.probabilities.rows(); ++row) {
    double sum = 0;
    for (std::size_t u = 0; u < kShape.context; ++u) {
      sum += result.probabilities.row(row)[u];
      EXPECT_EQ(result.probabilities.row(row)[u] > 0, u <= row % kShape.context);
    }
    EXPECT_NEAR(sum, 1, 1e-15);
  }
}

TEST(Attention, OfTheFirstTokenIsItsOwnValue) {
  Pool pool;
  const Tensor<double> qkv = random_qkv(pool);
  const Attention result = attend(pool, qkv);
  for (std::size_t j = 0; j < kWidth; ++j) EXPECT_EQ(result.mixed.row(4)[j], qkv.row(4)[2 * kWidth + j]);
}

// Two tokens, one head of size 1: p = 1 / (1 + e^(q (k0 - k1)))) is known.
TEST(Attention, OfTwoTokensIsTheSigmoid) {
  Pool pool;
  Tensor<double> qkv(pool, 2, 3), probabilities(pool, 2, 2), mixed(pool, 2, 1);
  const double values[] = {0.3, 0.5, 10, 2, -0.25, 20};
  std::copy_n(values, 6, qkv.span().data());
  attention_forward<double>({.sequences = 1, .context = 2, .heads = 1}, qkv, probabilities, mixed);
  const double p1 = 1 / (1 + std::exp(2 * (0.5 + 0.25)));
  EXPECT_NEAR(probabilities.row(1)[1], p1, 1e-15);
  EXPECT_NEAR(mixed.row(1)[0], 10 * (1 - p1) + 20 * p1, 1e-13);
}

TEST(Attention, BackwardOverwritesWhatWasThere) {
  Pool pool;
  const Tensor<double> qkv = random_qkv(pool);
  const Attention result = attend(pool, qkv);
  Tensor<double> clean(pool, kRows, 3 * kWidth), dirty(pool, kRows, 3 * kWidth);
  std::fill(dirty.span().begin(), dirty.span().end(), 7.0);
  attention_backward<double>(kShape, qkv, result.probabilities, result.mixed, clean);
  attention_backward<double>(kShape, qkv, result.probabilities, result.mixed, dirty);
  EXPECT_TRUE(std::equal(clean.span().begin(), clean.span().end(), dirty.span().begin()));
}

}  // namespace
}  // namespace tinygpt::attention_test
