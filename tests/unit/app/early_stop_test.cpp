#include "app/early_stop.h"

#include <gtest/gtest.h>

namespace gate::app {
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

}  // namespace
}  // namespace gate::app
