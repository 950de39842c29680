// --resume takes up a run that was cut off; --again runs once more what was not green.
#include <gmock/gmock.h>

#include "made_up_host.h"

namespace gate::app::resume_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Resume : public MadeUpHost {
 protected:
  Resume() {
    for (const char* name : {"a", "b", "c"}) recorded(name);
  }

  // a passes, b is cut off by a signal, c waits.
  Report cut_off() {
    runner.plays("b", {{.meanwhile = [this] { signal = 15; }}});
    Report report = ran();
    EXPECT_EQ(verdicts(report), "a passed, b interrupted, c not_run");
    signal.reset();
    runner.forget();
    return report;
  }

  static RunOptions resuming() {
    RunOptions options;
    options.resume = "";
    return options;
  }

  static RunOptions again() {
    RunOptions options;
    options.again = "";
    return options;
  }
};

TEST_F(Resume, WhatHasFinishedIsKeptAndTheRestIsRun) {
  const Report before = cut_off();
  const Report report = ran(resuming());
  EXPECT_EQ(verdicts(report), "a passed, b passed, c passed");
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(report.run, before.run);
  EXPECT_EQ(report.uid, before.uid);
  EXPECT_THAT(runner.launched(), ElementsAre("b", "c"));
}

TEST_F(Resume, WhatChangedSinceRunsAgain) {
  cut_off();
  put("scripts/a.sh", "exit 2\n");
  EXPECT_EQ(verdicts(ran(resuming())), "a passed, b passed, c passed");
  EXPECT_THAT(runner.launched(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(events, testing::Contains(HasSubstr("a: runs again: ")));
}

TEST_F(Resume, ABaselineThatChangedSinceIsJudgedAnew) {
  cut_off();
  put("baselines/cpu/a.json", get("baselines/cpu/b.json"));
  ran(resuming());
  EXPECT_THAT(runner.launched(), testing::Contains("a"));
}

TEST_F(Resume, ARunThatIsWholeHasNothingLeft) {
  EXPECT_EQ(verdicts(ran()), "a passed, b passed, c passed");
  const Answer<Report> report = run_cases(resuming());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().exit_code, 3);
}

TEST_F(Resume, ItIsContinuedAsItWasBegun) {
  cut_off();
  RunOptions other = resuming();
  other.command_line = {"--", "--lr", "1"};
  const Answer<Report> report = run_cases(other);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().exit_code, 2);
  EXPECT_THAT(report.error().message, HasSubstr("give the same"));
  EXPECT_THAT(runner.launched(), ElementsAre());
}

TEST_F(Resume, NoCaseIsNamedBesideIt) {
  cut_off();
  RunOptions named = resuming();
  named.words = {"a"};
  const Answer<Report> report = run_cases(named);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().exit_code, 2);
}

TEST_F(Resume, AgainIsARunOfItsOwn) {
  const Report before = cut_off();
  const Report report = ran(again());
  EXPECT_EQ(verdicts(report), "b passed, c passed");
  EXPECT_NE(report.run, before.run);
  EXPECT_THAT(runner.launched(), ElementsAre("b", "c"));
}

TEST_F(Resume, AgainAfterAGreenRunHasNothingToDo) {
  ran();
  const Answer<Report> report = run_cases(again());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().exit_code, 3);
}

}  // namespace
}  // namespace gate::app::resume_test
