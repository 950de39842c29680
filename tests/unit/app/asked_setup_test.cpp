#include "gate/judging/asked_setup.h"

#include <gmock/gmock.h>

#include "gate/base/text.h"

namespace gate::app::asked_setup_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

CaseReport report_on(EnvironmentFacts facts) {
  CaseReport report;
  report.outcome = Exited{0};
  report.ran_on = std::move(facts);
  return report;
}

std::vector<std::string> problems(CaseReport report, const config::AccuracyContract& contract,
                                  std::optional<int> devices = std::nullopt) {
  config::Case spec;
  spec.settings.devices = devices;
  add_setup_findings(report, contract, spec);
  std::vector<std::string> texts;
  for (const Problem& problem : report.problems) texts.push_back(problem.text.english());
  return texts;
}

TEST(Versions, AreOneWhereOneGoesOnWhereTheOtherEnds) {
  for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{{"2.1.0", "2.1.0"},
                                                                             {"2.1.0", "2.1.0+cpu"},
                                                                             {"v2.1", "2.1.0.post3"},
                                                                             {"8.0.rc1.beta1", "8.0.RC1"},
                                                                             {"8.0.RC1", "8.0.rc1"}}) {
    EXPECT_TRUE(are_one_version(a, b)) << a << b;
    EXPECT_TRUE(are_one_version(b, a)) << a << b;
  }
  for (const auto& [a, b] : std::vector<std::pair<const char*, const char*>>{{"2.1.0", "2.2.0"},
                                                                             {"2.1", "2.10"},
                                                                             {"8.0", "8.0.RC1"},
                                                                             {"8.0.RC1", "8.0.RC2"},
                                                                             {"", "2.1"},
                                                                             {"-", "1"}}) {
    EXPECT_FALSE(are_one_version(a, b)) << a << b;
    EXPECT_FALSE(are_one_version(b, a)) << a << b;
  }
}

TEST(AskedSetup, WhatTheRunHadOtherwiseIsAProblem) {
  config::AccuracyContract asked;
  const EnvironmentFacts had{{"torch", "2.2.0+cpu"}, {"toolkit", "CANN 8.0.RC2"}};
  EXPECT_THAT(problems(report_on(had), asked), IsEmpty());
  asked.framework = "pytorch";
  asked.framework_version = "2.1.0";
  asked.cann_version = "8.0.rc1.beta1";
  EXPECT_THAT(problems(report_on(had), asked),
              ElementsAre("the test is for pytorch 2.1.0, and it ran with torch 2.2.0+cpu",
                          "the test is for CANN 8.0.rc1.beta1, and it ran with CANN 8.0.RC2"));
  EXPECT_THAT(problems(report_on({{"torch", "2.1.0"}, {"toolkit", "CANN 8.0.RC1"}}), asked), IsEmpty());
  EXPECT_THAT(problems(report_on({{"mindspore", "2.3"}, {"toolkit", "CUDA 12.4"}}), asked),
              ElementsAre("the test is for pytorch 2.1.0, and it ran with no torch",
                          "the test is for CANN 8.0.rc1.beta1, and it ran with CUDA 12.4"));
  EXPECT_THAT(problems(report_on({}), asked),
              ElementsAre("the test is for pytorch 2.1.0; what it ran with is not known",
                          "the test is for CANN 8.0.rc1.beta1; what it ran with is not known"));
  asked.framework = "own";
  EXPECT_THAT(problems(report_on({{"toolkit", "CANN 8.0.RC1"}}), asked),
              ElementsAre("the test is for own 2.1.0; what it ran with is not known"));
  CaseReport never = report_on(had);
  never.outcome = NotStarted{"x"};
  EXPECT_THAT(problems(never, asked), IsEmpty());
}

TEST(AskedSetup, CardsBesideDevicesAreToldWhereTheyDiffer) {
  config::AccuracyContract asked;
  EXPECT_THAT(problems(report_on({}), asked, 4), IsEmpty()) << "nobody asked for cards";
  asked.tells_cards = true;
  asked.cards = 2;
  EXPECT_THAT(problems(report_on({}), asked, 2), IsEmpty());
  EXPECT_THAT(problems(report_on({}), asked), IsEmpty());
  EXPECT_THAT(
      problems(report_on({}), asked, 4),
      ElementsAre("NUM_COMPUTE_CARDS asks for 2 cards, and devices of gate.toml says 4: it ran on 4"));
}

}  // namespace
}  // namespace gate::app::asked_setup_test
