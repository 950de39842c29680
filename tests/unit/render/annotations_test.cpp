#include <gmock/gmock.h>

#include <algorithm>

#include "gate/base/text.h"
#include "sample_reports.h"

namespace gate::render::annotations_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> lines_of(const Report& report) {
  std::vector<std::string> lines;
  const std::string out = annotations(report, Style{});
  for (const std::string_view line : split(out, '\n')) lines.emplace_back(line);
  EXPECT_EQ(lines.back(), "");
  lines.pop_back();
  return lines;
}

std::ptrdiff_t count_of_kind(const std::vector<std::string>& lines, const std::string& kind) {
  return std::count_if(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.starts_with("::" + kind + " "); });
}

TEST(Annotations, RedCaseWithItsFirstMissAndItsBaseline) {
  EXPECT_EQ(
      annotations(sample::report({sample::regressed_case(), sample::passed_case()}, 1), Style{}),
      "::error title=regressed tinygpt/dp2,file=baselines/tinygpt/dp2.json::lm_loss  14 of 15 steps (1-15) "
      "out of "
      "±0.01, largest +0.6 (+15.4 %25)%0Afirst    step 2: 4.1612 -> 4.1803, delta +0.01911 (+0.46 %25)  "
      "train.log:34%0Alargest  "
      "step 9: 3.9000 -> 4.5000, delta +0.6 (+15.4 %25), limit 3.89..3.91  train.log:41%0Agate explain "
      "tinygpt/dp2 --run 1121-0203\n"
      "::notice title=gate 1.0.0  llm-st  run 1121-0203  npu-07%2C ascend-910b3  commit 9c1e2f4::RED: 1 "
      "regressed, 1 passed (exit 1)\n");
}

TEST(Annotations, CauseOfACrash) {
  EXPECT_THAT(lines_of(sample::report({sample::crashed_case()}, 4))[0],
              HasSubstr("::exited 1: CUDA out of memory (log.txt:57)%0Acause mixtral/log.txt:57: [rank3]: "));
}

TEST(Annotations, WhatIsWaivedAndNotesAreWarnings) {
  CaseReport one = sample::passed_case();
  one.checks[0] = sample::failed_loss();
  one.checks[0].status = CheckStatus::waived;
  Report report = sample::report({one}, 0);
  report.notes = {"the disk is nearly full"};
  const std::vector<std::string> lines = lines_of(report);
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_THAT(lines[0], StartsWith("::warning title=waived tinygpt/dp2,file=baselines/tinygpt/dp2.json::"));
  EXPECT_EQ(lines[1], "::warning title=gate::the disk is nearly full");
}

TEST(Annotations, FindingsAreWarningsAtTheirPlaces) {
  Report report = sample::report({sample::passed_case()}, 0);
  report.policy = TrustedPolicy{"main", "9c1e2f4", {}};
  using enum PolicyArea;
  report.policy->findings = {
      {rule, PolicyShift::loosened, "rules.lm_loss.tolerance", "±0.01", "±0.5", "gate.toml:2:13", {}},
      {baseline, PolicyShift::changed, "baselines/a.json", "", "lm_loss steps 8-14 +3 %", "", {"a"}},
      {rule, PolicyShift::loosened, "rules.x", "1", "2", "../gate.toml:2:13", {}}};
  const std::vector<std::string> lines = lines_of(report);
  ASSERT_THAT(lines, SizeIs(4));
  EXPECT_EQ(lines[0],
            "::warning title=policy,file=gate.toml,line=2::loosened  rules.lm_loss.tolerance  ±0.01 -> "
            "±0.5  gate.toml:2:13");
  EXPECT_EQ(lines[1],
            "::warning title=policy,file=baselines/a.json::changed  baseline baselines/a.json  lm_loss "
            "steps 8-14 +3 %25");
  EXPECT_THAT(lines[2], StartsWith("::warning title=policy::loosened  rules.x"));
}

TEST(Annotations, TenOfAKindInTurnAndTheRestCounted) {
  Report report = sample::report({}, 1);
  for (int i = 0; i < 2000; ++i) report.cases.push_back(sample::hung_case());
  report.cases.push_back(sample::regressed_case());
  const std::vector<std::string> lines = lines_of(report);
  EXPECT_EQ(count_of_kind(lines, "error"), 10);
  EXPECT_EQ(count_of_kind(lines, "notice"), 1);
  EXPECT_THAT(lines[0], StartsWith("::error title=hung "));
  EXPECT_THAT(lines[1], StartsWith("::error title=regressed ")) << "many of one kind hide no other";
  EXPECT_THAT(lines[9], StartsWith("::error title=gate%3A 1992 more::hung mixtral_tp4_ep2, "));
  report.cases.resize(10);
  EXPECT_THAT(lines_of(report)[9], StartsWith("::error title=hung "));
}

TEST(Annotations, RedRunWithoutARedCaseIsAnError) {
  EXPECT_THAT(lines_of(sample::report({}, 3))[0], StartsWith("::error title=gate::RED: no cases"));
}

TEST(Annotations, NothingBecomesACommandOrAProperty) {
  const std::string hostile =
      "a,line=1::b\r\n::stop-commands::x\n::set-output name=y::z\n%0A::add-mask::q\xff\x1b[2J";
  CaseReport one = sample::regressed_case();
  one.reason = hostile;
  one.name = one.checks[0].metric = one.checks[0].rule = hostile;
  one.checks[0].remarks = {shown::text(hostile)};
  one.checks[0].baseline_file = hostile;
  one.checks[0].unit = one.checks[0].first_miss->file = hostile;
  CaseReport waived = one;
  waived.verdict = Verdict::passed;
  waived.checks[0].status = CheckStatus::waived;
  Report report = sample::report({one, waived, sample::crashed_case()}, 1);
  report.cases[2].cause->text = hostile;
  report.cases[2].reason = hostile;
  report.suite = report.host = hostile;
  report.notes = {hostile};
  const std::vector<std::string> lines = lines_of(report);
  EXPECT_THAT(lines, SizeIs(5));
  for (const std::string& line : lines) {
    EXPECT_TRUE(line.starts_with("::error title=") || line.starts_with("::warning title=") ||
                line.starts_with("::notice title="))
        << line;
    const std::string properties = line.substr(0, line.find("::", 2));
    EXPECT_THAT(properties, Not(HasSubstr(",line=")));
    EXPECT_THAT(line, Not(HasSubstr("\x1b")));
    EXPECT_THAT(line, Not(HasSubstr("%0A::"))) << "an escaped line break of ours, then a command";
  }
}

TEST(Annotations, LongTextsAreCut) {
  CaseReport one = sample::hung_case();
  one.name = std::string(100'000, 'x');
  one.reason = one.name;
  EXPECT_LT(annotations(sample::report({one}, 4), Style{}).size(), 5000u);
}

}  // namespace
}  // namespace gate::render::annotations_test
