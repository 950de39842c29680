#include "runner/course/further_run.h"

#include <gtest/gtest.h>

#include "gate/places/further_case.h"

namespace gate::app::further_run_test {
namespace {

config::Case spec_of(config::FurtherOn on) {
  config::Case spec;
  spec.settings.further.on = on;
  spec.settings.further.words = {"--profile"};
  return spec;
}

CaseReport report_of(Verdict verdict, MetricKind failed) {
  CaseReport report;
  report.verdict = verdict;
  Check check;
  check.kind = failed;
  check.status = CheckStatus::fail;
  report.checks = {check};
  return report;
}

bool wanted(const config::Case& spec, const CaseReport& report) {
  return wanted_after(spec, report, "2026-01-02").further.is_wanted();
}

TEST(FurtherRun, ComesAfterWhatItIsFor) {
  const config::Case red = spec_of(config::FurtherOn::red), slow = spec_of(config::FurtherOn::slow);
  const CaseReport slower = report_of(Verdict::regressed, MetricKind::speed);
  const CaseReport wrong = report_of(Verdict::regressed, MetricKind::accuracy);
  EXPECT_TRUE(wanted(slow, slower));
  EXPECT_TRUE(wanted(red, slower));
  EXPECT_TRUE(wanted(red, wrong));
  EXPECT_FALSE(wanted(slow, wrong));
  EXPECT_FALSE(wanted(slow, report_of(Verdict::crashed, MetricKind::speed)));
  EXPECT_FALSE(wanted({}, slower));
  CaseReport waived = slower;
  waived.checks.front().status = CheckStatus::waived;
  EXPECT_FALSE(wanted(slow, waived));
}

TEST(FurtherRun, IsNotWantedWhereItCouldExplainNothing) {
  const config::Case spec = spec_of(config::FurtherOn::red);
  for (const VerdictRow& row : gate::verdicts()) {
    const bool explains = row.verdict == Verdict::regressed || row.verdict == Verdict::crashed ||
                          row.verdict == Verdict::hung || row.verdict == Verdict::timed_out ||
                          row.verdict == Verdict::incomplete;
    EXPECT_EQ(wanted(spec, report_of(row.verdict, MetricKind::accuracy)), explains) << row.name;
  }
}

TEST(FurtherRun, IsNotWantedInQuarantine) {
  config::Case spec = spec_of(config::FurtherOn::slow);
  spec.settings.quarantine = Quarantine{"2026-01-02", "flaky", "ada"};
  EXPECT_FALSE(wanted(spec, report_of(Verdict::regressed, MetricKind::speed)));
  spec.settings.quarantine->until = "2026-01-01";  // it is over
  EXPECT_TRUE(wanted(spec, report_of(Verdict::regressed, MetricKind::speed)));
}

TEST(FurtherRun, HasWordsAndVariablesOfItsOwnOnEveryPlatform) {
  config::Case spec;
  spec.settings.env = {{"A", "1"}, {"B", "1"}};
  spec.settings.artifacts = {"a"};
  spec.on_platforms = {{"cpu", "A", "2"}, {"cpu", "C", "2"}};
  PlannedCase planned;
  planned.spec = &spec;
  const auto more = further_case(planned, {{}, {"--x"}, {{"A", "3"}}, {"b"}});
  EXPECT_EQ(more->further_words, std::vector<std::string>{"--x"});
  EXPECT_EQ(config::variables_on(*more->spec, "cpu"),
            (std::map<std::string, std::string>{{"A", "3"}, {"B", "1"}, {"C", "2"}}));
  EXPECT_EQ(more->spec->settings.artifacts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(config::variables_on(spec, "cpu").at("A"), "2");
}

}  // namespace
}  // namespace gate::app::further_run_test
