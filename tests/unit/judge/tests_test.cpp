#include <gmock/gmock.h>

#include "gate/words/remarks.h"
#include "logs.h"

namespace gate::judge::testing::tests_test {
namespace {

using ::testing::ElementsAre;

EndedTest test(const std::string& name, TestEnd end, const std::string& message = "") {
  return {name, end, message, {"a", "a.py", 5, {}}};
}

Ask asked(std::vector<EndedTest> tests, std::optional<Outcome> outcome = Exited{0}) {
  Ask ask;
  ask.mode = Mode::pytest;
  ask.outcome = std::move(outcome);
  ask.log.tests = TestRun{std::move(tests), ""};
  return ask;
}

std::string ruling(const Ask& ask) {
  const Judgement judgement = ask.judge();
  return std::string(to_string(judgement.verdict)) + ": " + judgement.reason.english();
}

const EndedTest passes = test("p", TestEnd::passed), skipped = test("s", TestEnd::skipped, "no NPU"),
                failed = test("f", TestEnd::failed, "assert 0"), erred = test("e", TestEnd::erred, "boom");

TEST(Tests, ATestThatFailsIsARegressionWhateverTheExit) {
  for (const Outcome& outcome : {Outcome(Exited{1}), Outcome(Exited{0}), Outcome(TimedOut{})})
    EXPECT_EQ(ruling(asked({passes, failed, erred}, outcome)), "regressed: f: assert 0 (a.py:5)");
  EXPECT_EQ(ruling(asked({failed, failed})), "regressed: f: assert 0 (a.py:5), and 1 more check");
}

TEST(Tests, ATestThatCannotBeRunIsACrashWhateverTheExit) {
  EXPECT_EQ(ruling(asked({passes, erred}, Exited{1})), "crashed: exited 1: e: boom (a.py:5)");
  EXPECT_EQ(ruling(asked({passes, erred})), "crashed: e: boom (a.py:5)");
}

TEST(Tests, NoTestIsACrash) {
  EXPECT_EQ(ruling(asked({}, Exited{5})), "crashed: exited 5: pytest collected no test");
  EXPECT_EQ(ruling(asked({})), "crashed: pytest collected no test");
}

TEST(Tests, NoTestThatWasLeftOutIsUnjudged) {
  Ask ask = asked({});
  ask.log.tests->left_out = "no test was run: pytest deselected 3 tests";
  for (const Outcome& outcome : {Outcome(Exited{0}), Outcome(Exited{5})}) {
    ask.outcome = outcome;
    EXPECT_EQ(ruling(ask), "unjudged: no test was run: pytest deselected 3 tests");
  }
  ask.outcome = Exited{1};
  EXPECT_EQ(ruling(ask), "crashed: exited 1; no test was run: pytest deselected 3 tests");
}

TEST(Tests, AnExitThatTheFileDoesNotExplainIsACrash) {
  EXPECT_EQ(ruling(asked({passes}, Exited{1})), "crashed: exited 1: none of its tests failed");
  EXPECT_EQ(ruling(asked({passes}, Exited{2})), "crashed: exited 2: pytest was interrupted");
  EXPECT_EQ(ruling(asked({passes}, Exited{3})), "crashed: exited 3: pytest itself failed");
  EXPECT_EQ(asked({passes}, Killed{11}).judge().verdict, Verdict::crashed);
}

TEST(Tests, AFaultOfTheFileIsIncompleteButHidesNoFailure) {
  Ask ask = asked({passes});
  ask.log.tests->fault = "pytest wrote no JUnit file";
  EXPECT_EQ(ruling(ask), "incomplete: pytest wrote no JUnit file");
  ask.log.tests->tests.clear();
  EXPECT_EQ(ruling(ask), "incomplete: pytest wrote no JUnit file");
  ask.outcome = Exited{1};
  EXPECT_EQ(ruling(ask), "crashed: exited 1; pytest wrote no JUnit file");
  ask.outcome = Exited{0};
  ask.log.tests->tests = {failed};
  EXPECT_EQ(ruling(ask), "regressed: f: assert 0 (a.py:5)");
  ask.log.tests.reset();
  EXPECT_EQ(ruling(ask), "incomplete: there is no JUnit file of pytest's");
}

TEST(Tests, SkippedOnesAreCountedAndMakeNothingGreenAlone) {
  EXPECT_EQ(ruling(asked({passes, skipped})), "passed: 1 test passed, 1 skipped");
  EXPECT_EQ(ruling(asked({skipped, skipped})), "unjudged: no test passed: 2 skipped");
  EXPECT_EQ(ruling(asked({passes}, std::nullopt)), "passed: 1 test passed");
}

TEST(Tests, FailuresComeFirstThenErrorsThenWhatWasSkipped) {
  const Judgement judgement = asked({passes, skipped, erred, failed}).judge();
  std::vector<std::string> names;
  for (const Check& check : judgement.checks) names.push_back(check.metric);
  EXPECT_THAT(names, ElementsAre("f", "e", "s", "p"));
  EXPECT_EQ(judgement.checks[0].test, failed.result);
}

TEST(Tests, SeriesRulesAndStepsAreNotJudged) {
  Ask ask = asked({passes});
  ask.log.series = run("lm_loss 1:99 2:nan").series;
  ask.log.total = 100;
  ask.log.cut = "torn";
  ask.log.doubt = "two writers";
  EXPECT_EQ(ruling(ask), "passed: 1 test passed");
  ASSERT_EQ(ask.judge().ungated.size(), 1U);
  EXPECT_EQ(words::text(ask.judge().ungated[0].reason), "only pytest's tests are judged");
}

TEST(Tests, OfALaunchWithoutAFileTheLastTestIsTold) {
  Ask ask = asked({}, Hung{});
  ask.log.tests = TestRun{{}, "no file", "t.py::test_x"};
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.verdict, Verdict::hung);
  ASSERT_EQ(judgement.notes.size(), 1U);
  EXPECT_EQ(words::text(judgement.notes[0]), "the last test that began: t.py::test_x");
}

}  // namespace
}  // namespace gate::judge::testing::tests_test
