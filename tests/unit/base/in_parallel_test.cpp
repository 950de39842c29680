#include "gate/base/in_parallel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <vector>

namespace gate::in_parallel_test {
namespace {

using ::testing::Each;

TEST(InParallel, DoesEachPieceOnce) {
  for (const std::size_t threads : {1, 2, 4})
    for (const std::size_t pieces : {0, 1, 15, 16, 17, 1000}) {
      std::vector<int> done(pieces, 0);
      in_parallel(pieces, threads, [&](std::size_t i) { ++done[i]; });
      EXPECT_THAT(done, Each(1)) << threads << " threads, " << pieces << " pieces";
    }
}

TEST(InParallel, WorksInThatManyThreads) {
  std::barrier all(3);  // is passed by three threads at once, or never
  std::atomic<int> passed = 0;
  in_parallel(48, 3, [&](std::size_t i) {
    if (i % 16 != 0) return;
    all.arrive_and_wait();
    ++passed;
  });
  EXPECT_EQ(passed, 3);
}

TEST(InParallel, IsNotWorthwhileForFewPieces) {
  EXPECT_EQ(worthwhile_threads(0), 1U);
  EXPECT_EQ(worthwhile_threads(100), 1U);
  EXPECT_LE(worthwhile_threads(1'000'000), 4U);
}

}  // namespace
}  // namespace gate::in_parallel_test
