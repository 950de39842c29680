// How a suite's triage reads, in every report.
#include <gmock/gmock.h>

#include "gate/judge/triage.h"
#include "render/words/triage_words.h"
#include "sample_reports.h"

namespace gate::render::triage_text_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using sample::case_of_speed;

Report suite() {
  std::vector<CaseReport> cases;
  for (int i = 0; i < 9; ++i) cases.push_back(case_of_speed("c" + std::to_string(i), "122.90"));
  cases.push_back(case_of_speed("lora", "134.17"));
  return sample::report(cases, 1);
}

TEST(TriageText, TellsWhatMovedTogetherAndWhatStandsApart) {
  const std::string line =
      "throughput: 9 of 10 cases moved together, median -8.4 % (-8.4..-8.4); apart: lora 0 %";
  EXPECT_THAT(triage_lines(judge::triage(suite().cases)), ElementsAre(line));
  EXPECT_THAT(markdown(suite(), Style{}), HasSubstr("9 of 10 cases moved together"));
  EXPECT_THAT(html(suite(), Style{}), HasSubstr("9 of 10 cases moved together"));
  const std::string told = text(suite(), Style{.width = 200});
  EXPECT_THAT(told, HasSubstr("\n" + line));
  EXPECT_LT(told.find(line), told.find("REGRESSED")) << "above the red block";
}

TEST(TriageText, OfARunIsToldWhereTheSuiteMovedOrIsASuite) {
  const auto shift = [](std::vector<CaseReport> cases) { return shift_lines(judge::triage(cases)); };
  const CaseReport still = case_of_speed("still", "134.17"), slow = case_of_speed("slow", "122.90");
  const std::vector<CaseReport> three{case_of_speed("a", "134.17"), still, slow};
  EXPECT_EQ(triage_lines(judge::triage(three)).size(), 1U);
  EXPECT_THAT(shift(three), IsEmpty()) << "the red case says it";
  EXPECT_THAT(text(sample::report(three, 1), Style{}), Not(HasSubstr("moved together")));
  EXPECT_EQ(shift({case_of_speed("a", "122.90"), case_of_speed("b", "122.90"), slow}).size(), 1U)
      << "all moved";
  std::vector<CaseReport> nine(8, still);
  for (int i = 0; i < 8; ++i) nine[i].name += std::to_string(i);
  EXPECT_THAT(shift(nine), IsEmpty()) << "nothing moved";
  nine.push_back(slow);
  EXPECT_EQ(shift(nine).size(), 1U) << "one stands apart from a suite";
}

TEST(TriageText, WhatIsNotToldIsNotOffered) {
  const std::string command = "gate baseline accept --run 1121-0203 --common-shift";
  Report red = suite();
  CaseReport& first = red.cases.front();
  first.verdict = Verdict::regressed;
  const auto shown = [&] { return text(red, Style{.width = 200}); };
  EXPECT_THAT(shown(), HasSubstr(command)) << "nothing of the code changed";
  first.differs = {{"script", "", ""}, {"commit", "1a", "2b"}, {"gate", "1", "2"}};
  EXPECT_THAT(shown(), Not(HasSubstr(command))) << "nothing but the code";
  first.differs.push_back({"torch", "2.1.0", "2.2.0"});
  EXPECT_THAT(shown(), HasSubstr(command + " --reason"));
  first.baselines.front().runs = 3;
  EXPECT_THAT(shown(), HasSubstr(command + " --despite fewer_runs --reason"));
  EXPECT_THAT(text(red, Style{.width = 200, .quiet = true}), Not(HasSubstr(command)));
}

TEST(TriageText, OfTheDiffIsATable) {
  EXPECT_THAT(triage_text(suite(), Style{.width = 200}),
              testing::ContainsRegex("\nlora +cpu +throughput +0 % +17\n"));
  EXPECT_EQ(triage_text(sample::report({case_of_speed("a", "120")}, 1), Style{}), "");
}

TEST(TriageText, ASpikeHasItsStep) {
  judge::Move move{
      .case_name = "a", .place = "", .metric = "lm_loss", .percent = 0.1, .spike = 4.0, .spike_at = 7};
  EXPECT_EQ(move_words(move), "+0.1 %");
  move.by_spike = true;
  EXPECT_EQ(move_words(move), "+4.0 % at step 7");
}

}  // namespace
}  // namespace gate::render::triage_text_test
