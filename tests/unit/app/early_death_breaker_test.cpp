#include "app/run/early_death_breaker.h"

#include <gtest/gtest.h>

namespace gate::app::death_streak_test {
namespace {

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
  EarlyDeathBreaker streak;
  for (Death death : deaths) {
    death.report.last_words = death.words;
    streak.see(death.report);
  }
  return streak.why_stop().value_or("");
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
}  // namespace gate::app::death_streak_test
