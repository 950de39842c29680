#include <gmock/gmock.h>

#include <set>

#include "gate/base/text.h"
#include "sample_reports.h"

namespace gate::render::openmetrics_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

std::string one(const std::vector<CaseReport>& cases, int exit_code) {
  return openmetrics(sample::report(cases, exit_code), Style{});
}

TEST(OpenMetrics, SaysWhatTheRunFound) {
  const std::string out = one({sample::regressed_case(), sample::skipped_case()}, 1);
  EXPECT_THAT(out, HasSubstr("# TYPE gate_exit_code gauge\n# HELP gate_exit_code Exit code of the run; 0 is "
                             "green.\ngate_exit_code{suite=\"llm-st\"} 1\n"));
  EXPECT_THAT(out, HasSubstr("gate_cases{suite=\"llm-st\",verdict=\"regressed\"} 1\n"));
  EXPECT_THAT(out, HasSubstr("gate_cases{suite=\"llm-st\",verdict=\"passed\"} 0\n"));
  EXPECT_THAT(
      out,
      HasSubstr("gate_case_verdict{suite=\"llm-st\",case=\"llama2_tp2_pp4_vpp2\",verdict=\"skipped\"} 1\n"));
  EXPECT_THAT(out, HasSubstr("gate_checks{suite=\"llm-st\",status=\"fail\"} 1\n"));
  EXPECT_THAT(out, HasSubstr("# UNIT gate_check_used_ratio ratio\n"));
  EXPECT_THAT(out, EndsWith("# EOF\n"));
}

TEST(OpenMetrics, RanksAreLabels) {
  const std::string out = one({sample::passed_case()}, 0);
  EXPECT_THAT(out, HasSubstr("metric=\"memory_max_allocated\",rank=\"1\",unit=\"MiB\"} 1\n"));
  EXPECT_THAT(out, HasSubstr("rule=\"lm_loss\",metric=\"lm_loss\"} 1\n"));
}

TEST(OpenMetrics, NothingMovedIsTheSameText) {
  CaseReport a = sample::passed_case(), b = sample::passed_case();
  b.checks[1] = sample::speed(CheckStatus::pass, "135.2", "1.03", +0.77);
  b.checks[1].margin = shown::value("7.7385");
  b.duration = Duration(1234);
  Report first = sample::report({a}, 0), second = sample::report({b}, 0);
  second.run = "1122-0001", second.commit = "abcdef0", second.duration = Duration(1), second.host = "npu-08";
  second.started = second.finished = "2026-11-22T00:00:00Z";
  EXPECT_EQ(openmetrics(first, Style{}), openmetrics(second, Style{}));
}

TEST(OpenMetrics, DurationsWhereTheyAreAskedFor) {
  const Report report = sample::report({sample::passed_case()}, 0);
  EXPECT_THAT(openmetrics(report, Style{}), Not(HasSubstr("duration")));
  const std::string out = openmetrics(report, Style{Color::no, 0, false, true});
  EXPECT_THAT(out, HasSubstr("gate_case_duration_seconds{suite=\"llm-st\",case=\"tinygpt/dp2\"} 1.100\n"));
}

TEST(OpenMetrics, NamesAreShownAndNoSeriesComesTwice) {
  CaseReport hostile = sample::regressed_case();
  hostile.name = "a\"} 1\n# EOF\nb\\ \xff";
  hostile.checks.push_back(hostile.checks[1]);
  hostile.checks[1].unit = "\n";
  const std::string out = one({hostile, hostile}, 1);
  EXPECT_THAT(out, HasSubstr("case=\"a\\\"} 1\\\\x0a# EOF\\\\x0ab\\\\ \\\\xff\""));
  std::set<std::string> seen;
  for (const std::string_view line : split(out, '\n')) {
    const std::string series(line.substr(0, line.rfind(' ')));
    EXPECT_TRUE(line.empty() || line[0] == '#' || seen.insert(series).second) << line;
  }
}

TEST(OpenMetrics, RunWithoutCases) {
  const std::string out = one({}, 3);
  EXPECT_THAT(out, HasSubstr("gate_exit_code{suite=\"llm-st\"} 3\n"));
  EXPECT_THAT(out, Not(HasSubstr("gate_case_verdict")));
}

}  // namespace
}  // namespace gate::render::openmetrics_test
