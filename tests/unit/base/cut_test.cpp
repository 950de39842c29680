// What ends the waiting for an answer, and what is said of it.
#include "gate/base/cut.h"

#include <gtest/gtest.h>

namespace gate {
namespace {

using namespace std::chrono_literals;

TEST(Cut, EndsNothingByItself) {
  EXPECT_EQ(Cut{}.why("npu1 did not answer"), "");
  EXPECT_FALSE(Cut{}.is_over());
  EXPECT_FALSE(Cut{}.bounded(1h).is_over());
  EXPECT_GT(Cut{}.next_look(), 0ms);
}

TEST(Cut, EndsWhenItsTimeIsUp) {
  EXPECT_EQ(Cut{}.bounded(0ms).why("npu1 did not answer"), "npu1 did not answer within 0s");
  EXPECT_EQ(Cut{}.bounded(0ms, "timeout 5m").why("not fetched"), "not fetched within timeout 5m");
}

TEST(Cut, IsBoundedByTheNearerOne) {
  EXPECT_EQ(Cut{}.bounded(0ms, "a").bounded(1h, "b").why("x"), "x within a");
  EXPECT_EQ(Cut{}.bounded(1h, "a").bounded(0ms, "b").why("x"), "x within b");
  EXPECT_LE(Cut{}.bounded(1h).bounded(10ms).next_look(), 10ms);
}

TEST(Cut, EndsWhenSomebodySaysSo) {
  std::string first, second;
  const Cut cut = Cut{.stop = [&] { return first; }}.stopped([&] { return second; });
  EXPECT_EQ(cut.why("x"), "");
  second = "interrupted";
  EXPECT_EQ(cut.why("x"), "x: interrupted");
  first = "killed";
  EXPECT_EQ(cut.why("x"), "x: killed");
  EXPECT_EQ(cut.bounded(0ms).why("x"), "x: killed");
}

}  // namespace
}  // namespace gate
