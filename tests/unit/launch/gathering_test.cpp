#include "launch/gathering.h"

#include <gtest/gtest.h>

namespace gate::launch::gathering_test {
namespace {

using Time = Gathering::Time;

constexpr Time start{std::chrono::hours{1}};
constexpr std::size_t line = 100;

Gathering after_lines(int count) {
  Gathering gathering;
  for (int i = 0; i < count; ++i) gathering.note(line, start);
  return gathering;
}

TEST(Gathering, NothingWaitsAtFirst) { EXPECT_EQ(Gathering().rest(start), Duration{0}); }

TEST(Gathering, TenLinesAtOnceDoNotWaitAndTheNextWaits50Milliseconds) {
  EXPECT_EQ(after_lines(10).rest(start), Duration{0});
  EXPECT_EQ(after_lines(11).rest(start), Duration{50});
}

TEST(Gathering, NoFloodOfLinesMakesTheNextWaitLonger) {
  EXPECT_EQ(after_lines(1000).rest(start), Duration{50});
  EXPECT_EQ(after_lines(1000).rest(start + Duration{49}), Duration{1});
  EXPECT_EQ(after_lines(1000).rest(start + Duration{50}), Duration{0});
}

TEST(Gathering, ALineEachHundredMillisecondsNeverWaits) {
  Gathering gathering;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(gathering.rest(start + Duration{100 * i}), Duration{0}) << i;
    gathering.note(line, start + Duration{100 * i});
  }
}

TEST(Gathering, SilenceIsForgiven) {
  EXPECT_EQ(after_lines(1000).rest(start + Duration{60}), Duration{0});
  Gathering gathering = after_lines(1000);
  for (int i = 0; i < 10; ++i) gathering.note(line, start + Duration{1000});
  EXPECT_EQ(gathering.rest(start + Duration{1000}), Duration{0});
}

TEST(Gathering, BehindALargePieceNothingWaits) {
  Gathering gathering = after_lines(1000);
  gathering.note(std::size_t{64} << 10, start);
  EXPECT_EQ(gathering.rest(start), Duration{0});
}

}  // namespace
}  // namespace gate::launch::gathering_test
