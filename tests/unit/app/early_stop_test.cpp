#include "gate/places/early_stop.h"

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

CaseReport crashed(int code = 1, std::int64_t steps = 0) {
  CaseReport report;
  report.verdict = Verdict::crashed;
  report.outcome = Exited{code};
  report.steps = steps;
  return report;
}

struct Death {
  CaseReport report = crashed();
  std::string words = "ImportError: no torch_npu (pid 17)";
};

std::string after(const std::vector<Death>& deaths) {
  EarlyDeathBreaker breaker;
  for (Death death : deaths) {
    death.report.last_words = death.words;
    breaker.on_report(death.report);
  }
  return breaker.why_stop().value_or(Sentence()).english();
}

TEST(EarlyDeathBreaker, ThreeAlikeAreEnough) {
  EXPECT_EQ(after({{}, {}}), "");
  EXPECT_EQ(
      after({{}, {}, {}}),
      "the last 3 cases died alike before the first step (exited 1: ImportError: no torch_npu (pid #))");
}

TEST(EarlyDeathBreaker, NumbersInTheWordsDoNotTellDeathsApart) {
  EXPECT_NE(after({{}, {crashed(), "ImportError: no torch_npu (pid 1808)"}, {}}), "");
}

TEST(EarlyDeathBreaker, AnythingElseBreaksIt) {
  CaseReport passed;
  passed.verdict = Verdict::passed;
  EXPECT_EQ(after({{}, {}, {passed, ""}, {}}), "");
  EXPECT_EQ(after({{}, {}, {crashed(), "another error"}}), "");
  EXPECT_EQ(after({{}, {}, {crashed(2)}}), "");
}

TEST(EarlyDeathBreaker, DeathsAfterAStepOrWithoutAWordDoNotCount) {
  EXPECT_EQ(after({{crashed(1, 3)}, {crashed(1, 3)}, {crashed(1, 3)}}), "");
  EXPECT_EQ(after({{crashed(), ""}, {crashed(), ""}, {crashed(), ""}}), "");
}

}  // namespace
}  // namespace gate::app::early_stop_test
