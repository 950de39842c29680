#include "trainer/pool.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

#include "trainer/model.h"
#include "trainer/optimizer.h"
#include "trainer/random.h"

namespace tinygpt::pool_test {
namespace {

TEST(Pool, CountsBlocksAndRemembersTheMost) {
  Pool pool;
  void* const a = pool.allocate(1000);
  void* const b = pool.allocate(1);
  EXPECT_EQ(pool.status().allocated, 1024u + 512u);
  pool.release(a);
  EXPECT_EQ(pool.status().allocated, 512u);
  EXPECT_EQ(pool.status().max_allocated, 1536u);
  pool.release(b);
  EXPECT_EQ(pool.status().allocated, 0u);
  pool.allocate(1);
  EXPECT_EQ(pool.status().max_allocated, 1536u);
}

TEST(Pool, TakesSegmentsAndKeepsThem) {
  Pool pool;
  void* const small = pool.allocate(1);
  EXPECT_EQ(pool.status().reserved, Pool::kSegment);
  void* const large = pool.allocate(Pool::kSegment + 1);
  EXPECT_EQ(pool.status().reserved, 3 * Pool::kSegment);
  pool.release(small);
  pool.release(large);
  EXPECT_EQ(pool.status().reserved, 3 * Pool::kSegment);
  EXPECT_EQ(pool.status().max_reserved, 3 * Pool::kSegment);
}

TEST(Pool, JoinsNeighboursAgain) {
  Pool pool;
  std::vector<void*> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(pool.allocate(Pool::kSegment / 4));
  for (const int i : {0, 2, 1, 3}) pool.release(blocks[static_cast<std::size_t>(i)]);
  EXPECT_EQ(pool.allocate(Pool::kSegment), blocks[0]);
  EXPECT_EQ(pool.status().reserved, Pool::kSegment);
}

TEST(Pool, BlocksAreAlignedAndDoNotOverlap) {
  Pool pool;
  Random random(1);
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (int i = 0; i < 200; ++i) {
    const std::size_t size = 1 + random.below(100'000);
    blocks.emplace_back(static_cast<unsigned char*>(pool.allocate(size)), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks.back().first) % Pool::kAlignment, 0u);
    std::memset(blocks.back().first, i, size);
    if (i % 3 == 0) {
      pool.release(blocks[static_cast<std::size_t>(i / 2)].first);
      blocks[static_cast<std::size_t>(i / 2)].first = nullptr;
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t j = 0; blocks[i].first != nullptr && j < blocks[i].second; ++j)
      ASSERT_EQ(blocks[i].first[j], static_cast<unsigned char>(i));
}

TEST(Pool, RefusesWhatNoMachineHas) {
  Pool pool;
  EXPECT_THROW(pool.allocate(std::numeric_limits<std::size_t>::max()), std::bad_alloc);
  EXPECT_THROW(pool.allocate(std::size_t{1} << 60), std::bad_alloc);
  EXPECT_EQ(pool.status().allocated, 0u);
  EXPECT_EQ(pool.status().reserved, 0u);
}

TEST(Tensor, GivesItsBlockBackOnce) {
  Pool pool;
  {
    Tensor<float> a(pool, 10, 10);
    Tensor<float> b = std::move(a);
    a = Tensor<float>(pool, 2, 2);
    b = std::move(a);
    EXPECT_EQ(pool.status().allocated, 512u);
  }
  EXPECT_EQ(pool.status().allocated, 0u);
  EXPECT_EQ(pool.status().max_allocated, 1024u);
}

TEST(Tensor, StartsAtZeroEvenInUsedMemory) {
  Pool pool;
  { std::memset(Tensor<float>(pool, 4, 4).span().data(), 0xff, 64); }
  const Tensor<float> again(pool, 4, 4);
  for (const float value : again.span()) EXPECT_EQ(value, 0);
}

// Parameters, gradients and two moments stay; what the way back needs is there during the step only.
TEST(Pool, HoldsTheWholeModel) {
  Pool pool;
  Model<float> model(pool, {}, 1);
  const AdamW<float> optimizer(pool, model.layout());
  const std::size_t still = 4 * model.layout().size * sizeof(float);
  EXPECT_GE(pool.status().allocated, still);
  EXPECT_LT(pool.status().allocated, still + 4 * Pool::kAlignment);
  const std::size_t before = pool.status().allocated;
  const std::size_t tokens = model.shape().tokens();
  model.backward({std::vector<Token>(tokens, 1), std::vector<Token>(tokens, 2)});
  EXPECT_EQ(pool.status().allocated, before);
  // 17 times the width a layer: input, norm1, qkv, mixed, middle, norm2, up, active.
  EXPECT_GT(pool.status().max_allocated, before + 2 * tokens * 16 * 64 * sizeof(float));
}

}  // namespace
}  // namespace tinygpt::pool_test
