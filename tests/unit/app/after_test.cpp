// Cases that come after others: what they take along, what holds them back, what they are told.
#include <gmock/gmock.h>

#include "app/suite/predecessors.h"
#include "gate/store/run_folder.h"
#include "made_up_host.h"

namespace gate::app::after_test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// eval comes after train, train after convert; `other` after nothing.
class After : public MadeUpHost {
 protected:
  After() {
    script("convert", "judge=exit");
    script("train", "judge=exit after=convert");
    script("eval", "judge=exit after=train");
    script("other", "judge=exit");
  }

  static RunOptions of(std::vector<std::string> words) {
    RunOptions options;
    options.words = std::move(words);
    return options;
  }

  std::string mistakes() const {
    const Answer<Suite> suite = open_suite({root, {}, {}});
    return suite ? "" : suite.error().message;
  }

  // What is wrong with the script of that case.
  std::string own_mistakes(const std::string& name) const {
    return open_suite({root, {}, {}})->find(name)->file.unreadable;
  }
};

Play crashes() { return {"", Exited{3}}; }

TEST_F(After, ACaseTakesAlongWhatItComesAfterAndRunsBehindIt) {
  const Report report = ran(of({"eval"}));
  EXPECT_EQ(verdicts(report), "convert passed, eval passed, train passed");
  EXPECT_THAT(runner.launched(), ElementsAre("convert", "train", "eval"));
  EXPECT_THAT(report.notes, ElementsAre("takes convert along: train comes after it",
                                        "takes train along: eval comes after it"));
  EXPECT_THAT(ran(of({"other"})).notes, IsEmpty());
}

TEST_F(After, TheFolderOfEachIsTold) {
  const Report report = ran(of({"train"}));
  const auto told = runner.environment("train");
  EXPECT_EQ(told.at("GATE_AFTER_CONVERT"), runner.environment("convert").at("GATE_LAUNCH_DIR"));
  EXPECT_TRUE(fs::exists(fs::Path(told.at("GATE_AFTER_CONVERT")) / "log.txt"));
  EXPECT_EQ(runner.environment("convert").count("GATE_AFTER_CONVERT"), 0U);
}

TEST_F(After, TheFolderIsThatOfTheLaunchThatCounts) {
  runner.plays("convert", {{"", Vanished{"no status"}}, {}});
  RunOptions options = of({"train"});
  options.retry_infra = 1;
  EXPECT_EQ(verdicts(ran(options)), "convert passed, train passed");
  EXPECT_THAT(runner.environment("train").at("GATE_AFTER_CONVERT"), HasSubstr("/convert/try-2"));
}

TEST_F(After, WhatDidNotPassHoldsBackAllThatComesAfterIt) {
  runner.plays("convert", {crashes()});
  const Report report = ran();
  EXPECT_EQ(verdicts(report), "convert crashed, eval not_run, other passed, train not_run");
  EXPECT_EQ(case_of(report, "train").reason, "convert, which it comes after, is crashed");
  EXPECT_EQ(case_of(report, "eval").reason, "train, which it comes after, is not_run");
  EXPECT_TRUE(is_held_back(case_of(report, "eval")));
  EXPECT_THAT(runner.launched(), ElementsAre("convert", "other"));
  EXPECT_EQ(report.exit_code, 4);
}

TEST_F(After, AQuarantinedOrSkippedCaseHoldsBack) {
  policy("[case.convert]\nquarantine = { until = \"2026-04-01\", reason = \"flaky\", owner = \"ada\" }\n");
  runner.plays("convert", {crashes()});
  Report report = ran(of({"train"}));
  EXPECT_EQ(verdicts(report), "convert crashed, train not_run");
  EXPECT_EQ(report.exit_code, 3);
  policy("[case.convert]\nplatform = \"ascend-*\"\n");
  report = ran(of({"train"}));
  EXPECT_EQ(verdicts(report), "convert skipped, train not_run");
  EXPECT_EQ(case_of(report, "train").reason, "convert, which it comes after, is skipped");
}

TEST_F(After, AStoppedCaseHoldsBackAndASignalLeavesTheRest) {
  runner.plays("convert", {{.meanwhile = [this] { signal = 15; }}});
  const Report report = ran(of({"train"}));
  EXPECT_EQ(verdicts(report), "convert interrupted, train not_run");
  EXPECT_FALSE(is_held_back(case_of(report, "train"))) << "--resume has it run";
}

TEST_F(After, ResumeKeepsWhatIsHeldBackUnlessItsPredecessorRunsAgain) {
  runner.plays("convert", {crashes()});
  runner.plays("other", {{.meanwhile = [this] { signal = 15; }}});
  EXPECT_EQ(verdicts(ran()), "convert crashed, eval not_run, other interrupted, train not_run");
  signal.reset();
  runner.forget();
  RunOptions resuming;
  resuming.resume = "";
  EXPECT_EQ(verdicts(ran(resuming)), "convert crashed, eval not_run, other passed, train not_run");
  EXPECT_THAT(runner.launched(), ElementsAre("other"));
  EXPECT_FALSE(run_cases(resuming)) << "nothing is left";
  put("scripts/convert.sh", "#GATE judge=exit\nexit 2\n");
  EXPECT_EQ(verdicts(ran(resuming)), "convert passed, eval passed, other passed, train passed");
}

TEST_F(After, AgainRunsThePredecessorsToo) {
  runner.plays("train", {crashes()});
  EXPECT_EQ(verdicts(ran(of({"train", "other"}))), "convert passed, other passed, train crashed");
  runner.forget();
  RunOptions again;
  again.again = "";
  EXPECT_EQ(verdicts(ran(again)), "convert passed, train passed");
}

TEST_F(After, ARecordingLaunchesThemOnceAndRecordsThemNot) {
  script("convert");
  script("train", "after=convert");
  RunOptions options = of({"train"});
  options.record = 2;
  const Answer<Report> report = record_cases(options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_EQ(verdicts(*report), "convert passed, train passed");
  EXPECT_THAT(runner.launched(), ElementsAre("convert", "train", "train"));
  EXPECT_TRUE(fs::exists(root / ".gate/candidates/cpu/train.json"));
  EXPECT_FALSE(fs::exists(root / ".gate/candidates/cpu/convert.json"));
}

TEST_F(After, AChainIsInOneShard) {
  for (int number = 1; number <= 4; ++number) {
    RunOptions options = of({"eval", "other"});
    options.shard = Shard{number, 4};
    runner.forget();
    const Report report = ran(options);
    const std::string all = verdicts(report);
    EXPECT_TRUE(all == "" || all == "other passed" || all == "convert passed, eval passed, train passed")
        << all;
  }
}

TEST_F(After, MistakesStandAtTheirPlaces) {
  script("eval", "judge=exit after=trainn");
  EXPECT_THAT(own_mistakes("eval"),
              HasSubstr("scripts/eval.sh:1:18 #GATE: no case \"trainn\"; did you mean \"train\"?"));
  script("eval", "judge=exit after=eval");
  EXPECT_THAT(own_mistakes("eval"),
              HasSubstr("scripts/eval.sh:1:18 #GATE: case eval cannot come after itself"));
  script("eval", "judge=exit after=t*");
  EXPECT_THAT(own_mistakes("eval"), HasSubstr("scripts/eval.sh:1:24: \"t*\" is a glob"));
  script("eval", "judge=exit");
  policy("[case.convert]\nafter = [\"eval\", \"other\"]\n[case.eval]\nafter = [\"train\"]\n");
  EXPECT_EQ(
      mistakes(),
      "gate.toml:2:9: convert comes after eval, eval after train, train after convert: none of them could "
      "ever start");
}

TEST_F(After, EachCircleIsNamedAndWhatOnlyLeadsThereIsNot) {
  policy(
      "[case.convert]\nafter = [\"train\"]\n[case.eval]\nafter = [\"convert\"]\n"
      "[case.other]\nafter = [\"p\"]\n[case.p]\nafter = [\"other\"]\n");
  script("p");
  const std::string all = mistakes();
  EXPECT_THAT(all, HasSubstr("convert comes after train, train after convert: none"));
  EXPECT_THAT(all, HasSubstr("other comes after p, p after other: none"));
  EXPECT_THAT(all, Not(HasSubstr("eval")));
}

TEST_F(After, PartnersAndChainsThatWaitForOneAnotherAreRefused) {
  policy(
      "[metrics.ratio]\nformula = 'throughput(\"train\") / throughput'\n"
      "[case.convert]\nrules.ratio.tolerance = \">= 0.5\"\n");
  const Answer<Report> report = run_cases();
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("or comes after it: convert, eval, train; a formula"));
}

}  // namespace
}  // namespace gate::app::after_test
