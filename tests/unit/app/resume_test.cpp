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

// Whatever a case is measured by is written anew behind the run that was cut off, or is gone.
TEST_F(Resume, WhatAScriptReadsInAndWhatIsDownloadedIsTheSame) {
  put("scripts/a.sh", "#GATE devices=0\n. \"$(dirname \"$0\")/../lib/env.sh\"\nexit 1\n");
  put("lib/env.sh", "source lib/deep.sh\n");
  put("gate.toml", "[case.a]\nstages.download.from = [\"in\", \"in.txt\"]\n");
  struct Change {
    std::string file, what;
    bool is_gone = false;
  };
  for (const Change& change :
       {Change{"lib/env.sh", "sourced files"}, Change{"lib/deep.sh", "sourced files", true},
        Change{"in/a/b.bin", "downloads"}, Change{"in.txt", "downloads"}}) {
    put("lib/deep.sh", "export A=1\n");
    put("lib/env.sh", "source lib/deep.sh\n");
    put("in/a/b.bin", "weights");
    put("in.txt", "text");
    cut_off();
    if (change.is_gone)
      std::filesystem::remove(root / change.file);
    else
      put(change.file, "source lib/deep.sh # another\n");
    ran(resuming());
    EXPECT_THAT(runner.launched(), ElementsAre("a", "b", "c")) << change.file;
    EXPECT_THAT(events, testing::Contains("a: runs again: its " + change.what + " changed since"));
    events.clear();
  }
}

TEST_F(Resume, ARunWhoseCasesAllHaveTheirVerdictsIsTakenUpUntilItIsTold) {
  struct Killed {};
  const auto dies = [](const Report&) -> int { throw Killed(); };
  EXPECT_THROW(static_cast<void>(run_cases({}, dies)), Killed);
  runner.forget();
  int told = 0;
  const Answer<Report> report = run_cases(resuming(), [&](const Report& one) {
    ++told;
    EXPECT_EQ(verdicts(one), "a passed, b passed, c passed");
    return 125;
  });
  ASSERT_TRUE(report);
  EXPECT_EQ(told, 1);
  EXPECT_EQ(report->exit_code, 125) << "what is told has the last word";
  EXPECT_THAT(runner.launched(), ElementsAre());
  EXPECT_EQ(run_cases(resuming()).error().exit_code, 3);
}

TEST_F(Resume, TheNewestThatWasCutOffIsMeant) {
  const Report before = cut_off();
  RunOptions other;
  other.words = {"c"};
  EXPECT_NE(ran(other).run, before.run);
  EXPECT_EQ(ran(resuming()).run, before.run);
}

TEST_F(Resume, ARunWhoseFoldersResultsAreAnothersTakesNoneUp) {
  RunOptions options;
  options.out = (root / "out").string();
  EXPECT_EQ(verdicts(ran(options)), "a passed, b passed, c passed");
  runner.plays("a", {{.meanwhile = [this] { signal = 15; }}});
  EXPECT_EQ(verdicts(ran(options)), "a interrupted, b not_run, c not_run");
  signal.reset();
  runner.forget();
  ran(resuming());
  EXPECT_THAT(runner.launched(), ElementsAre("a", "b", "c"));
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
