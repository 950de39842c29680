#include "launch/clocks.h"

#include <gtest/gtest.h>

namespace gate::launch::clocks_test {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const Limits limits{minutes(120), minutes(30), minutes(15), seconds(30)};
const Pulse sample{true, false, false, false, {}};
const Pulse last_sample{true, false, true, false, {}};
const Pulse first_of_next_attempt{true, true, false, false, {}};
const Pulse only_text{};

std::string at(const Clocks& clocks, Duration when) {
  const auto outcome = clocks.expired(when);
  if (!outcome) return "goes on";
  const Hung* hung = std::get_if<Hung>(&*outcome);
  if (hung == nullptr) return text(*outcome).english();
  return hung->during + ": silent " + to_string(hung->silent) + " of " + to_string(hung->limit);
}

TEST(Clocks, SilentScriptHangsDuringStartup) {
  Clocks clocks(limits, StepsExpected::yes);
  EXPECT_EQ(at(clocks, minutes(30) - Duration(1)), "goes on");
  EXPECT_EQ(at(clocks, minutes(30)), "startup: silent 30m of 30m");
}

TEST(Clocks, DeadlineComesBeforeEveryOtherLimit) {
  Limits bounded = limits;
  bounded.timeout = seconds(10);
  bounded.rest = seconds(10);
  bounded.deadline = minutes(30);
  const Clocks clocks(bounded, StepsExpected::no);
  EXPECT_EQ(at(clocks, seconds(10) - Duration(1)), "goes on");
  EXPECT_EQ(at(clocks, seconds(10)), "stopped: the run's deadline of 30m was up");
}

TEST(Clocks, StartupCountsFromTheLaunchNotFromTheSetupBeforeIt) {
  Clocks clocks(limits, StepsExpected::yes, minutes(20));
  EXPECT_EQ(at(clocks, minutes(49)), "goes on");
  EXPECT_EQ(at(clocks, minutes(50)), "startup: silent 30m of 30m");
}

TEST(Clocks, TextWithoutSamplesIsSilence) {
  Clocks clocks(limits, StepsExpected::yes);
  clocks.hear(only_text, minutes(29));
  EXPECT_EQ(at(clocks, minutes(30)), "startup: silent 30m of 30m");
}

TEST(Clocks, StartupLastsUntilTheSecondSample) {
  Clocks clocks(limits, StepsExpected::yes);
  clocks.hear(sample, minutes(10));
  EXPECT_EQ(at(clocks, minutes(39)), "goes on");
  EXPECT_EQ(at(clocks, minutes(40)), "startup: silent 30m of 30m");
}

TEST(Clocks, HangCountsSinceTheLastSample) {
  Clocks clocks(limits, StepsExpected::yes);
  clocks.hear(sample, minutes(10));
  clocks.hear(sample, minutes(11));
  EXPECT_EQ(at(clocks, minutes(26) - Duration(1)), "goes on");
  EXPECT_EQ(at(clocks, minutes(26)), "training: silent 15m of 15m");
}

TEST(Clocks, HangIsNeverBelowFiveTimesTheLongestGap) {
  Clocks clocks(limits, StepsExpected::yes);
  clocks.hear(sample, minutes(1));
  clocks.hear(sample, minutes(5));  // gap 4m: the limit is 20m
  clocks.hear(sample, minutes(6));
  EXPECT_EQ(at(clocks, minutes(25)), "goes on");
  EXPECT_EQ(at(clocks, minutes(26)), "training: silent 20m of 20m");
}

TEST(Clocks, TheWayToTheFirstSampleIsNoGap) {
  Clocks clocks(limits, StepsExpected::yes);
  clocks.hear(sample, minutes(10));
  clocks.hear(sample, minutes(10));
  EXPECT_EQ(at(clocks, minutes(25)), "training: silent 15m of 15m");
}

TEST(Clocks, SamplesOfOneBlockCountEach) {
  Clocks clocks(limits, StepsExpected::yes);
  clocks.hear({true, false, false, false, {}, 2}, minutes(10));
  EXPECT_EQ(at(clocks, minutes(25)), "training: silent 15m of 15m");
}

TEST(Clocks, NewAttemptStartsUpAgainAndForgetsGaps) {
  Clocks clocks(limits, StepsExpected::yes);
  clocks.hear(sample, minutes(1));
  clocks.hear(sample, minutes(11));
  clocks.hear(first_of_next_attempt, minutes(20));
  EXPECT_EQ(at(clocks, minutes(49)), "goes on");
  EXPECT_EQ(at(clocks, minutes(50)), "startup: silent 30m of 30m");
  clocks.hear(sample, minutes(21));
  EXPECT_EQ(at(clocks, minutes(36)), "training: silent 15m of 15m");
}

TEST(Clocks, StartupAppliesAfterTheLastStep) {
  Clocks clocks(limits, StepsExpected::yes);
  clocks.hear(sample, minutes(1));
  clocks.hear(last_sample, minutes(2));
  EXPECT_TRUE(clocks.complete());
  EXPECT_EQ(at(clocks, minutes(31)), "goes on");
  EXPECT_EQ(at(clocks, minutes(32)), "shutdown: silent 30m of 30m");
}

TEST(Clocks, AttemptAfterACompleteOneIsNotComplete) {
  Clocks clocks(limits, StepsExpected::yes);
  clocks.hear(last_sample, minutes(2));
  clocks.hear(first_of_next_attempt, minutes(3));
  EXPECT_FALSE(clocks.complete());
}

TEST(Clocks, TimeoutIsOfTheWholeRunHoweverLivelyItIs) {
  Clocks clocks(limits, StepsExpected::yes, minutes(20));
  for (int minute = 21; minute <= 120; ++minute) clocks.hear(sample, minutes(minute));
  EXPECT_EQ(at(clocks, minutes(120) - Duration(1)), "goes on");
  EXPECT_EQ(at(clocks, minutes(120)), "timed out after 2h");
}

TEST(Clocks, WithoutStepsOnlyTheTimeoutApplies) {
  Clocks clocks(limits, StepsExpected::no);
  EXPECT_EQ(at(clocks, minutes(119)), "goes on");
  EXPECT_EQ(at(clocks, minutes(120)), "timed out after 2h");
}

}  // namespace
}  // namespace gate::launch::clocks_test
