#include "gate/judge/triage.h"

#include <gmock/gmock.h>

#include <random>

#include "gate/model/rules/grammar.h"
#include "gate/model/rules/rule.h"

namespace gate::judge::triage_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Value value(double number) { return *parse_value(std::to_string(number)); }

Check reduced(double baseline, double actual, const std::string& metric = "throughput") {
  Check check;
  check.rule = check.metric = metric;
  check.reduce = Reduce::mean;
  check.tolerance = *parse_tolerance("-5%");
  check.compared = 10;
  check.baseline = value(baseline);
  check.actual = value(actual);
  return check;
}

// Values that lie `shift` percent off the baseline of 10, and at step 7 so much more.
Check each(double shift, double spike) {
  Check check;
  check.rule = check.metric = "lm_loss";
  check.numbered = Numbering::step;
  check.reduce = Reduce::each;
  check.tolerance = *parse_tolerance("±0.01");
  check.compared = 50;
  check.baseline_mean = 10;
  check.mean = 10 + shift / 10;
  Miss& largest = check.largest.emplace();
  largest.number = 7;
  largest.baseline = value(10);
  largest.actual = value(10 + (shift + spike) / 10);
  return check;
}

CaseReport of(const std::string& name, std::vector<Check> checks) {
  CaseReport one;
  one.name = name;
  one.checks = std::move(checks);
  return one;
}

std::vector<std::string> apart(const Triage& triage) {
  std::vector<std::string> names;
  for (const Move& move : triage.apart) names.push_back(move.case_name + " " + move.metric);
  return names;
}

TEST(Triage, CountsOnlyWhatEndedWellWithFiniteValues) {
  std::vector<CaseReport> cases;
  for (int i = 0; i < 9; ++i) cases.push_back(of("c" + std::to_string(i), {reduced(100, 103)}));
  const auto counted = [&] { return triage(cases).metrics.at(0).cases; };
  EXPECT_EQ(counted(), 9U);
  cases[0].outcome = Hung{};
  cases[1].outcome = Exited{1};
  cases[2].verdict = Verdict::incomplete;
  EXPECT_EQ(counted(), 6U);
  cases[3].checks.push_back(each(0, 0));
  cases[3].checks.back().first_miss =
      Miss{.number = 7, .baseline = {}, .actual = *parse_value("nan"), .delta = {}};
  EXPECT_EQ(counted(), 5U);
  cases[4].outcome = Exited{0};
  EXPECT_EQ(counted(), 5U);
  cases[4].total = 20;
  cases[4].steps = 10;
  EXPECT_EQ(counted(), 4U) << "it fell short";
}

TEST(Triage, IsAShiftWhereTheMedianIsAboveTheNoise) {
  const auto shift = [](const std::vector<double>& moves) {
    std::vector<CaseReport> cases;
    for (std::size_t i = 0; i < moves.size(); ++i)
      cases.push_back(of("c" + std::to_string(i), {reduced(100, 100 + moves[i])}));
    return triage(cases).metrics.at(0).is_shift();
  };
  EXPECT_TRUE(shift({0.3, 0.31, 0.29, 0.3, 0.3}));
  EXPECT_TRUE(shift({-3, -3.1, -2.9, -3, -3}));
  EXPECT_FALSE(shift({0, 0, 0, 0, 9}));
  EXPECT_FALSE(shift({0.1, -0.3, 0.3, -0.2, 0.4}));
}

TEST(Triage, ADriftIsOneMoveAndACurveThatIsOffStandsApart) {
  std::vector<CaseReport> cases;
  for (int i = 0; i < 50; ++i)
    cases.push_back(of("c" + std::to_string(i), {reduced(100, 103), each(0.001 * (i % 3), 0.01)}));
  cases[31].checks[1] = each(0.08, 4);
  const Triage found = triage(cases);
  EXPECT_THAT(apart(found), ElementsAre("c31 lm_loss"));
  EXPECT_TRUE(found.apart[0].by_spike);
  EXPECT_NEAR(*found.apart[0].spike, 4.08, 0.001);
  EXPECT_EQ(found.apart[0].spike_at, 7);
  ASSERT_EQ(found.metrics.size(), 2U);
  EXPECT_EQ(found.metrics[0].metric, "lm_loss");
  EXPECT_EQ(found.metrics[0].together, 49U);
  EXPECT_NEAR(found.metrics[1].median, 3, 1e-9);
  EXPECT_EQ(found.metrics[1].together, 50U);
}

TEST(Triage, TheFarthestComesFirst) {
  std::vector<CaseReport> cases;
  for (int i = 0; i < 20; ++i)
    cases.push_back(of("c" + std::to_string(i), {reduced(100, 100 + 0.1 * (i % 5))}));
  cases.push_back(of("far", {reduced(100, 80)}));
  cases.push_back(of("near", {reduced(100, 95)}));
  EXPECT_THAT(apart(triage(cases)), ElementsAre("far throughput", "near throughput"));
}

TEST(Triage, TheNoiseOfTheSuiteIsItsUnit) {
  std::mt19937 random(1);  // NOLINT: the same in every run
  std::normal_distribution<double> noise(3, 1);
  std::vector<CaseReport> cases;
  for (int i = 0; i < 400; ++i)
    cases.push_back(of("c" + std::to_string(i), {reduced(100, 100 + noise(random))}));
  cases.push_back(of("off", {reduced(100, 100 + 3 + 6)}));
  const Triage found = triage(cases);
  ASSERT_FALSE(found.apart.empty());
  EXPECT_EQ(found.apart[0].case_name, "off");
  EXPECT_NEAR(found.apart[0].units, 6, 0.8) << "6 % of a deviation of 1 %";
  EXPECT_LE(found.apart.size(), 3U);
}

TEST(Triage, WhatHardlyDiffersIsNotApart) {
  std::vector<CaseReport> cases;
  for (int i = 0; i < 9; ++i) cases.push_back(of("c" + std::to_string(i), {reduced(100, 103)}));
  cases.push_back(of("a", {reduced(100, 104.9)}));
  EXPECT_THAT(apart(triage(cases)), IsEmpty()) << "a tenth of 5 % is the least noise";
  cases.back() = of("a", {reduced(100, 105.1)});
  EXPECT_THAT(apart(triage(cases)), ElementsAre("a throughput"));
}

TEST(Triage, WhatIsFartherThanItsToleranceFromTheRestIsApart) {
  const std::vector<CaseReport> cases{of("a", {reduced(100, 140)}), of("b", {reduced(100, 140)}),
                                      of("c", {reduced(100, 60)}), of("d", {reduced(100, 60)})};
  EXPECT_EQ(triage(cases).apart.size(), 4U) << "nothing is common to them";
}

TEST(Triage, OneCaseAtThreePlacesIsNoSuite) {
  std::vector<CaseReport> cases(3, of("a", {reduced(100, 110)}));
  cases[1].platform = "cpu";
  cases[2].environment = "dev";
  EXPECT_THAT(triage(cases).metrics, IsEmpty());
}

TEST(Triage, TwoCasesAreNoSuite) {
  EXPECT_THAT(triage(std::vector{of("a", {reduced(100, 90)}), of("b", {reduced(100, 110)})}).metrics,
              IsEmpty());
}

TEST(Triage, WhatTellsNothingIsLeftOut) {
  std::vector<CaseReport> cases;
  for (const char* name : {"a", "b", "c", "d"})
    cases.push_back(of(name, {reduced(0, 5), reduced(100, 100, "memory")}));
  Check missing = reduced(100, 50);
  missing.compared = 0;
  missing.actual.reset();
  for (CaseReport& one : cases) one.checks.push_back(missing);
  const Triage found = triage(cases);
  EXPECT_THAT(found.metrics, IsEmpty());
  EXPECT_THAT(found.apart, IsEmpty());
}

}  // namespace
}  // namespace gate::judge::triage_test
