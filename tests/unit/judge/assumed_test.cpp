// Reports of positional lists, which do not say whether a rank reported twice or one report was printed
// twice.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::assumed_test {
namespace {

Reference positional(const std::string& text) {
  Reference reference = baseline(text);
  for (ReferenceSeries& series : reference.series)
    for (Series& run : series.runs) run.set_assumed(true);
  return reference;
}

Judgement judged(const Reference& reference, const std::string& log) {
  const Extraction extraction = run(log);
  const std::vector<Rule> rules = built_in_rules();
  const MetricTable metrics;
  return judge(
      {rules, metrics, reference, extraction, std::nullopt, "", Mode::series, Strict::no, std::nullopt, ""});
}

TEST(AssumedReports, ARepetitionIsComparedAndNotDemanded) {
  const Reference reference = positional("memory_allocated/0 1:100.5 2:100.5");
  EXPECT_EQ(judged(reference, "memory_allocated/0 1:100.5").verdict, Verdict::passed);
  EXPECT_EQ(judged(reference, "memory_allocated/0 1:100.5 2:100.5").verdict, Verdict::passed);
  EXPECT_EQ(judged(reference, "memory_allocated/0 1:100.5 2:111").verdict, Verdict::regressed);
}

TEST(AssumedReports, AnotherValueIsDemanded) {
  const Reference reference = positional("memory_allocated/0 1:100.5 2:100.6");
  EXPECT_EQ(judged(reference, "memory_allocated/0 1:100.5").verdict, Verdict::incomplete);
}

TEST(AssumedReports, WhatCarriesItsNumbersIsDemanded) {
  EXPECT_EQ(judged(baseline("memory_allocated/0 1:100.5 2:100.5"), "memory_allocated/0 1:100.5").verdict,
            Verdict::incomplete);
}

TEST(AssumedReports, AMeanIsNotTakenOverFewerOfThem) {
  const Reference reference = positional("memory_allocated/0 1:100.5 2:100.5");
  const Extraction extraction = run("memory_allocated/0 1:100.5");
  const std::vector<Rule> rules{rule("memory_allocated", "+10%", "all", "mean")};
  const MetricTable metrics;
  const Judgement judgement = judge(
      {rules, metrics, reference, extraction, std::nullopt, "", Mode::series, Strict::no, std::nullopt, ""});
  EXPECT_EQ(judgement.checks.at(0).status, CheckStatus::incomparable);
  EXPECT_THAT(judgement.checks.at(0).remarks, have(remark::Plain::window_not_filled));
  EXPECT_EQ(judgement.verdict, Verdict::unjudged);
}

}  // namespace
}  // namespace gate::judge::testing::assumed_test
