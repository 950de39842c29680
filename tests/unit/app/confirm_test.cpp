// --confirm: a failed speed check is judged once more by the mean of several runs.
#include <gmock/gmock.h>

#include "made_up_host.h"
#include "shown.h"

namespace gate::app::confirm_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;

class Confirm : public MadeUpHost {
 protected:
  Confirm() { recorded("c"); }

  // Each launch prints one of these times (ms), where a word is one for each step of three; the baseline has
  // 100.0, and 105.0 is the limit.
  Report run_with(const std::vector<std::string>& times, int runs) {
    std::vector<Play> plays;
    for (const std::string& time : times) plays.push_back({TrainingLog{.time = time}.text()});
    return run_playing(std::move(plays), runs);
  }

  Report run_playing(std::vector<Play> plays, int runs) {
    runner.plays("c", std::move(plays));
    RunOptions options;
    options.confirm = runs;
    return ran(options);
  }

  static const Check& speed(const Report& report) {
    return *std::ranges::find(report.cases[0].checks, "iteration_time", &Check::rule);
  }
};

TEST_F(Confirm, WhereTheMeanIsBeyondTheLimitTheFailureStands) {
  const Report report = run_with({"109.0", "104.0", "106.0"}, 3);
  EXPECT_EQ(verdicts(report), "c regressed");
  EXPECT_THAT(runner.launched(), SizeIs(3));
  EXPECT_EQ(speed(report).status, CheckStatus::fail);
  EXPECT_THAT(words::note_text(speed(report)), HasSubstr("(109.0, 104.0, 106.0): 106.3333 ms: confirmed"));
  EXPECT_THAT(report.cases[0].artifacts, Contains(testing::Key("log-2")));
  EXPECT_THAT(report.cases[0].artifacts, Contains(testing::Key("series-3")));
}

TEST_F(Confirm, WhereTheMeanIsWithinItTheCasePasses) {
  const Report report = run_with({"105.1", "104.0", "105.0"}, 3);
  EXPECT_EQ(verdicts(report), "c passed");
  EXPECT_THAT(shown::notes(report.cases[0].notes),
              Contains("iteration_time: failed at first (mean 105.1 ms, limit 105.0); pooled over 3 runs "
                       "(105.1, 104.0, 105.0): 104.7 ms: not confirmed"));
}

TEST_F(Confirm, AFurtherRunThatFailsOtherwiseHasTheLastWord) {
  const TrainingLog slow{.time = "109.0"};
  const TrainingLog wrong{.losses = {"2.500000E+00", "2.400000E+00", "2.400000E+00"}};
  const Report report = run_playing({{slow.text()}, {wrong.text()}, {}}, 3);
  EXPECT_EQ(verdicts(report), "c regressed");
  EXPECT_THAT(runner.launched(), SizeIs(2));
  EXPECT_THAT(report.cases[0].reason, HasSubstr("run 2 of --confirm 3: lm_loss"));
  EXPECT_THAT(shown::notes(report.cases[0].notes),
              Contains("iteration_time: failed at first (mean 109.0 ms, limit 105.0)"));
}

TEST_F(Confirm, OnlyWhatIsConfirmedCountsAsAFailureOfTheRun) {
  recorded("d");
  RunOptions options;
  options.confirm = 2;
  options.max_failures = 1;
  const Play slow{TrainingLog{.time = "109.0"}.text()};
  runner.plays("c", {slow, {}});
  EXPECT_EQ(verdicts(ran(options)), "c passed, d passed");
  runner.forget();
  runner.plays("c", {slow, slow});
  EXPECT_EQ(verdicts(ran(options)), "c regressed, d not_run");
}

TEST_F(Confirm, WhatTheHostDoesLeavesWhatWasFound) {
  const Play slow{TrainingLog{.time = "109.0"}.text()};
  const Report report = run_playing({slow, {.outcome = NotStarted{"no more processes"}}}, 3);
  EXPECT_EQ(verdicts(report), "c regressed");
  EXPECT_THAT(shown::notes(report.cases[0].notes), Contains(HasSubstr("not confirmed and not refuted: ")));
}

TEST_F(Confirm, ASignalLeavesWhatWasFound) {
  Play slow{TrainingLog{.time = "109.0"}.text()};
  slow.meanwhile = [this, n = 0]() mutable {
    if (++n == 1) time.pass(Duration(1));
  };
  Play stopped{TrainingLog{.time = "100.0"}.text()};
  stopped.meanwhile = [this] { signal = 2; };
  const Report report = run_playing({slow, stopped}, 3);
  EXPECT_EQ(verdicts(report), "c regressed");
  EXPECT_THAT(runner.launched(), SizeIs(2));
}

}  // namespace
}  // namespace gate::app::confirm_test
