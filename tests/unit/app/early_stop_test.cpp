#include "app/run/early_stop.h"

#include <gtest/gtest.h>

namespace gate::app::early_stop_test {
namespace {

using namespace std::chrono_literals;

TEST(EarlyStop, ExpectsTheRestFromTheStepsSoFar) {
  EXPECT_EQ(expected_rest({1, 11, 100s}, 31), 200s);
  EXPECT_EQ(expected_rest({1, 1, 0s}, 31), std::nullopt);
  EXPECT_EQ(expected_rest({1, 31, 300s}, 31), std::nullopt);
  EXPECT_EQ(expected_rest({1, 11, 100s}, std::nullopt), std::nullopt);
}

TEST(EarlyStop, AutoStopsWhereMoreThanTwoMinutesAreSaved) {
  EXPECT_TRUE(stops_now(config::EarlyStop::automatic, 121s));
  EXPECT_FALSE(stops_now(config::EarlyStop::automatic, 120s));
  EXPECT_FALSE(stops_now(config::EarlyStop::automatic, std::nullopt));
  EXPECT_TRUE(stops_now(config::EarlyStop::on, std::nullopt));
  EXPECT_FALSE(stops_now(config::EarlyStop::off, 10h));
}

TEST(EarlyStop, SavesTheExpectedRestOnEveryDevice) {
  EXPECT_EQ(device_time_saved(StoppedEarly{"x", 90s}, 8), 720s);
  EXPECT_EQ(device_time_saved(StoppedEarly{"x", 90s}, 0), 90s) << "a cpu case";
  EXPECT_EQ(device_time_saved(StoppedEarly{"x", std::nullopt}, 8), std::nullopt);
  EXPECT_EQ(device_time_saved(TimedOut{90s}, 8), std::nullopt);
}

}  // namespace
}  // namespace gate::app::early_stop_test
