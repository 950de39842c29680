#include "extract/attempts/two_writers.h"

#include <gtest/gtest.h>

#include <vector>

namespace gate::extract::two_writers_test {
namespace {

bool seen(const std::vector<std::int64_t>& steps) {
  TwoWriters writers;
  bool seen = false;
  for (const std::int64_t step : steps) {
    writers.add(step);
    seen |= writers.detected();
  }
  return seen;
}

TEST(TwoWriters, takeTurns) {
  EXPECT_TRUE(seen({4, 1, 5, 2, 6, 3}));
  EXPECT_TRUE(seen({40, 10, 50, 20, 60, 30}));
  EXPECT_TRUE(seen({1, 2, 3, 1, 2, 4, 5, 3, 4, 6, 7, 5}));
  EXPECT_TRUE(seen({1, 2, 1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 7, 8, 7, 8, 9, 10, 9, 10}));
}

TEST(TwoWriters, areNotSeenInRestarts) {
  EXPECT_FALSE(seen({1, 2, 3, 4, 5}));
  EXPECT_FALSE(seen({1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3, 4, 5}));
  EXPECT_FALSE(seen({1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 7, 8}));
  EXPECT_FALSE(seen({10, 20, 30, 20, 30, 40, 10, 20, 30, 40, 50}));
  EXPECT_FALSE(seen({1, 1, 1, 1, 2, 2, 2}));
  EXPECT_FALSE(seen({4, 1, 5}));  // it may be a step that was lost
}

TEST(TwoWriters, areForgottenWhereARunBegins) {
  TwoWriters writers;
  for (const std::int64_t step : {4, 1, 5, 2}) writers.add(step);
  writers.begin();
  for (const std::int64_t step : {1, 2, 3, 4, 5, 6}) writers.add(step);
  EXPECT_FALSE(writers.detected());
}

}  // namespace
}  // namespace gate::extract::two_writers_test
