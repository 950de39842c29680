// What a run does with its cases: `RunSession`, on a host that is made up.
#include <gmock/gmock.h>

#include "gate/store/run_folder.h"
#include "made_up_host.h"

namespace gate::app::session_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

using Session = MadeUpHost;

Play fails(int code, const std::string& words = "") { return {words, Exited{code}}; }

TEST_F(Session, WhatIsAsBeforePasses) {
  recorded("a");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a passed");
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_EQ(case_of(report, "a").steps, 3);
  EXPECT_EQ(case_of(report, "a").duration, Duration(2250));  // three of the four parts of its log
  EXPECT_THAT(events, ElementsAre("a begins", "a ends: passed"));
}

TEST_F(Session, ALossThatMovedIsRed) {
  recorded("a");
  runner.plays("a", {{TrainingLog{.losses = {"2.500000E+00", "2.400000E+00", "2.320000E+00"}}.text()}});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a regressed");
  EXPECT_EQ(report.exit_code, 1);
}

TEST_F(Session, AChecksKindIsThatOfTheSuitesOwnMetric) {
  policy(R"(
[metrics.examples]
pattern = 'step (?P<step>\d+) examples (?P<value>[\d.]+)'
kind = "speed"
better = "higher"
[rules.examples]
reduce = "mean"
tolerance = "-5%"
)");
  recorded("a", TrainingLog().text() + "step 1 examples 100\nstep 2 examples 102\n");
  const Report report = ran();
  const std::vector<Check>& checks = case_of(report, "a").checks;
  const auto check = std::ranges::find(checks, "examples", &Check::metric);
  ASSERT_NE(check, checks.end()) << verdicts(report);
  EXPECT_EQ(check->kind, MetricKind::speed);
  EXPECT_EQ(std::ranges::find(checks, "lm_loss", &Check::metric)->kind, MetricKind::accuracy);
}

TEST_F(Session, CasesOfOneHostWithoutDevicesRunOneAfterTheOther) {
  recorded("a");
  recorded("b");
  recorded("c");
  EXPECT_EQ(verdicts(ran()), "a passed, b passed, c passed");
  EXPECT_THAT(runner.launched(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(events, ElementsAre("a begins", "a ends: passed", "b begins", "b ends: passed", "c begins",
                                  "c ends: passed"));
}

TEST_F(Session, CasesRunInTheOrderInWhichPeopleNumberThem) {
  for (const char* name : {"m10", "m2", "m1"}) recorded(name);
  EXPECT_EQ(verdicts(ran()), "m1 passed, m2 passed, m10 passed");
  EXPECT_THAT(runner.launched(), ElementsAre("m1", "m2", "m10"));
}

TEST_F(Session, EachCaseIsOnDiskAsSoonAsItHasEnded) {
  recorded("a");
  recorded("b");
  Verdict seen = Verdict::skipped;
  runner.plays("b", {{.meanwhile = [&] {
                 const auto so_far = store::read_run(root, "");
                 ASSERT_TRUE(so_far);
                 seen = case_of(*so_far, "a").verdict;
               }}});
  ran();
  EXPECT_EQ(seen, Verdict::passed);
}

TEST_F(Session, AScriptThatFailsIsCrashedWithItsLastWords) {
  recorded("a");
  runner.plays("a", {fails(3, "loading\nno such tokenizer\n")});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a crashed");
  EXPECT_EQ(case_of(report, "a").last_words, "no such tokenizer");
  EXPECT_EQ(report.exit_code, 4);
}

TEST_F(Session, WhatOutlivesItsScriptIsAProblemOfTheCase) {
  recorded("a");
  runner.plays("a", {{.leftovers = {"pid 71 sleep 100"}}});
  const Report report = ran();
  std::vector<std::string> problems;
  for (const Problem& problem : case_of(report, "a").problems) problems.push_back(problem.text.english());
  EXPECT_THAT(problems, Contains("outlived the script and was stopped: pid 71 sleep 100"));
}

// Each stage, one that fails and one that does not; and one that cannot be stopped is told likewise.
TEST_F(Session, WhatOutlivesAStageIsAProblemOfTheCaseOnce) {
  script("a");
  policy(
      "[case.a]\njudge = \"exit\"\nstages.init.command = \"init.sh\"\nstages.download.command = "
      "\"download.sh\"\nstages.report.command = \"report.sh\"\nstages.upload.command = \"upload.sh\"\n");
  for (const char* stage : {"init", "download", "report", "upload"})
    for (const int code : {0, 3}) {
      runner.forget();
      runner.plays(stage, {{.outcome = Exited{code}, .leftovers = {"pid 71 sleep 100", "pid 72 x"}}});
      const Report report = ran();
      std::vector<std::string> problems;
      for (const Problem& problem : case_of(report, "a").problems)
        if (problem.kind == ProblemKind::leftover) problems.push_back(problem.text.english());
      const std::string begin = std::string("outlived stage ") + stage + " and was stopped: ";
      EXPECT_THAT(problems, ElementsAre(begin + "pid 71 sleep 100", begin + "pid 72 x")) << stage << code;
      EXPECT_EQ(verdicts(report), code == 0 ? "a passed" : "a infra") << stage;
    }
}

TEST_F(Session, StopsAfterSoManyFailures) {
  for (const char* name : {"a", "b", "c"}) recorded(name);
  runner.plays("a", {fails(3)});
  RunOptions options;
  options.max_failures = 1;
  const Report report = ran(options);
  EXPECT_EQ(verdicts(report), "a crashed, b not_run, c not_run");
  EXPECT_EQ(case_of(report, "b").reason, "not run: --max-failures reached");
  EXPECT_THAT(runner.launched(), ElementsAre("a"));
}

TEST_F(Session, StopsWhereThreeDieAlikeBeforeTheirFirstStep) {
  for (const char* name : {"a", "b", "c", "d"}) {
    recorded(name);
    runner.plays(name, {fails(1, "ModuleNotFoundError: No module named 'torch'\n")});
  }
  for (const char* name : {"a", "b", "c", "d"})
    runner.plays(name, {fails(1, "ModuleNotFoundError: No module named 'torch'\n")});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a crashed, b crashed, c crashed, d not_run");
  EXPECT_THAT(case_of(report, "d").reason, HasSubstr("alike"));
}

TEST_F(Session, ASignalEndsTheCaseAtHandAndAllThatWait) {
  for (const char* name : {"a", "b"}) recorded(name);
  runner.plays("a", {{.meanwhile = [&] { signal = 15; }}});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a interrupted, b not_run");
  EXPECT_EQ(case_of(report, "b").reason, "not run: interrupted before");
  EXPECT_EQ(report.exit_code, 143);
}

TEST_F(Session, WithoutABaselineNothingIsJudged) {
  script("a");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a unjudged");
  EXPECT_EQ(report.exit_code, 3);
}

TEST_F(Session, WhatCannotBeStartedIsOfTheHost) {
  recorded("a");
  runner.plays("a", {{.outcome = NotStarted{"no more processes"}}});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a infra");
  EXPECT_EQ(report.exit_code, 125);
}

TEST_F(Session, NeedsThatAreNotThereStartNothing) {
  script("a", "needs=weights.bin");
  put("weights.bin", "");
  recorded("a");
  std::filesystem::remove(root / "weights.bin");
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "a infra");
  EXPECT_THAT(case_of(report, "a").reason, HasSubstr("weights.bin"));
  EXPECT_THAT(runner.launched(), ElementsAre());
}

TEST_F(Session, ScriptsAreToldWhoTheyAre) {
  recorded("a");
  ran();
  EXPECT_THAT(runner.environment("a"), Contains(testing::Pair("GATE_CASE", "a")));
}

TEST_F(Session, NamesThatSelectNothingStartNothing) {
  recorded("a");
  RunOptions options;
  options.words = {"b"};
  const Answer<Report> report = run_cases(options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().exit_code, 2);
  EXPECT_THAT(runner.launched(), ElementsAre());
}

}  // namespace
}  // namespace gate::app::session_test
