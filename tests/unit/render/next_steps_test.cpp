#include "render/words/next_steps.h"

#include <gmock/gmock.h>

#include "sample_reports.h"

namespace gate::render::next_steps_test {
namespace {

using testing::Contains;
using testing::Not;

std::vector<std::string> words_of(const CaseReport& one, Report run = sample::report({}, 1)) {
  std::vector<std::string> words;
  for (const NextStep& step : next_steps(run, one)) words.push_back(step.word().english());
  return words;
}

TEST(NextSteps, RegressedRunCanBeAcceptedWithTheMetricsThatMoved) {
  CaseReport one = sample::regressed_case();
  one.checks.push_back(sample::failed_memory(0, "16.1", "3.6", +28.8));
  one.checks.push_back(sample::failed_memory(1, "16.1", "3.6", +28.8));
  EXPECT_EQ(next_steps(sample::report({}, 1), one).at(1).text,
            "gate baseline accept tinygpt/dp2 --run 1121-0203 --metric lm_loss,memory_max_allocated "
            "--reason \"...\"");
}

// As gate baseline accept would have it.
TEST(NextSteps, WhatIsAcceptedBesideSeveralRunsOrAnotherDeterminism) {
  CaseReport one = sample::regressed_case();
  if (one.baselines.empty()) one.baselines.emplace_back();
  one.baselines.front().runs = 3;
  EXPECT_THAT(next_steps(sample::report({}, 1), one).at(1).text,
              testing::EndsWith("--metric lm_loss --despite fewer_runs --reason \"...\""));
  one.differs = {{"HCCL_DETERMINISTIC", "true", "false"}};
  EXPECT_THAT(next_steps(sample::report({}, 1), one).at(1).text,
              testing::EndsWith("--run 1121-0203 --despite fewer_runs --reason \"...\""));
}

TEST(NextSteps, FirstBaselineCanBeTakenFromTheRun) {
  CaseReport one = sample::passed_case();
  one.verdict = Verdict::unjudged;
  one.checks.clear();
  one.baselines.clear();
  EXPECT_EQ(next_steps(sample::report({}, 3), one).at(0).text,
            "gate baseline accept tinygpt/dp2 --run 1121-0203 --reason \"...\"");
}

// Where the run's own numbers cannot be taken, a recording or an import is offered.
TEST(NextSteps, ABaselineCanBeMadeWhereThereIsNone) {
  CaseReport one = sample::passed_case();
  one.verdict = Verdict::unjudged;
  one.checks.clear();
  one.baselines.clear();
  one.platform = "nvidia-a100";
  one.environment = "lts";
  one.artifacts = {{"log", "my logs/a.log"}};
  Report altered = sample::report({}, 3);
  altered.set = {"repeat=2"};
  EXPECT_EQ(next_steps(altered, one).at(0).text, "gate baseline record tinygpt/dp2");
  EXPECT_EQ(next_steps(altered, one).at(0).word().english(), "record");
  altered.rehearsal = true;
  EXPECT_THAT(words_of(one, altered), testing::ElementsAre("log"));
  Report checked = sample::report({}, 3);
  checked.command = "check";
  checked.run = "";
  EXPECT_EQ(
      next_steps(checked, one).at(0).text,
      "gate baseline import 'my logs/a.log' --case tinygpt/dp2 --platform nvidia-a100 --environment lts "
      "--accept --reason \"...\"");
  one.artifacts["log"] = "-";
  EXPECT_THAT(words_of(one, checked), testing::ElementsAre("log"));
}

TEST(NextSteps, AcceptIsNotOfferedWhereItWouldBeRefused) {
  EXPECT_THAT(words_of(sample::regressed_case()), Contains("accept"));
  EXPECT_THAT(words_of(sample::hung_case()), Not(Contains("accept")));
  CaseReport other_arguments = sample::regressed_case();
  other_arguments.args = {"--lr", "0.01"};
  EXPECT_THAT(words_of(other_arguments), Not(Contains("accept")));
  CaseReport ended_badly = sample::regressed_case();
  ended_badly.outcome = Exited{1};
  EXPECT_THAT(words_of(ended_badly), Not(Contains("accept")));
  CaseReport infinite = sample::regressed_case();
  infinite.checks[0].largest->actual = shown::value("inf");
  EXPECT_THAT(words_of(infinite), Not(Contains("accept")));
  Report other_rules = sample::report({}, 1);
  other_rules.set = {"rules.lm_loss.tolerance=±0.02"};
  EXPECT_THAT(words_of(sample::regressed_case(), other_rules), Not(Contains("accept")));
}

TEST(NextSteps, TheLogOfEachNodeIsNamed) {
  CaseReport nodes = sample::hung_case();
  nodes.artifacts = {{"log", "a/log.txt"}, {"log-2", "a/try-2/log.txt"}, {"log_node1", "a/log.node1.txt"}};
  std::vector<std::string> logs;
  for (const NextStep& step : next_steps(sample::report({}, 1), nodes))
    if (step.step == Step::log) logs.push_back(step.text);
  EXPECT_THAT(logs, testing::ElementsAre("a/log.txt", "a/log.node1.txt"));
}

TEST(NextSteps, WhatWasKeptOfAScriptThatStoodStillIsNamed) {
  CaseReport hung = sample::hung_case();
  hung.artifacts["evidence"] = ".gate/runs/1121-0203/mixtral_tp4_ep2/evidence.txt";
  EXPECT_EQ(next_steps(sample::report({}, 1), hung).back().step, Step::evidence);
  CaseReport in_a_phase = sample::hung_case();
  in_a_phase.artifacts["evidence-resume"] = "a/resume/evidence.txt";
  EXPECT_EQ(next_steps(sample::report({}, 1), in_a_phase).back().text, "a/resume/evidence.txt");
  EXPECT_THAT(text(sample::report({hung}, 4), sample::columns_80()),
              testing::HasSubstr("\n  log      .gate/runs/1121-0203/mixtral_tp4_ep2/log\n"
                                 "  evidence .gate/runs/1121-0203/mixtral_tp4_ep2/evidence.txt\n"));
}

TEST(NextSteps, NothingIsOfferedOfARunThatWasNotStored) {
  Report checked = sample::report({}, 1);
  checked.command = "check";
  checked.run = "";
  EXPECT_THAT(words_of(sample::regressed_case(), checked), testing::ElementsAre("log"));
}

}  // namespace
}  // namespace gate::render::next_steps_test
