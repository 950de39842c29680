#include "app/judging/phases.h"

#include <gmock/gmock.h>

namespace gate::app::phases_test {
namespace {

using testing::HasSubstr;

// Steps FROM to TO of a loss that falls by 0.1 each, that of one step other by so much.
Extraction run(int from, int to, int other = 0, int by = 0) {
  Series loss("lm_loss", std::nullopt, "", Numbering::step);
  for (int step = from; step <= to; ++step) {
    const std::string text = "2." + std::to_string(900 - step + (step == other ? by : 0));
    loss.append({step, *parse_value(text), text, 0, 0});
  }
  Extraction made;
  made.files = {"log"};
  made.formats = {"megatron"};
  made.series = {std::move(loss)};
  made.total = to;
  return made;
}

config::Case case_with(const std::string& keys) {
  const auto policy =
      config::Policy::parse("[case.a]\nphases = [\"full\", \"resume\"]\n" + keys, "gate.toml");
  return policy.value().resolve({"a", "a.sh", "", {}}).value();
}

CaseReport judged(const Extraction& resumed, const std::string& keys = "",
                  std::optional<std::int64_t> checkpoint = std::nullopt) {
  const Extraction full = run(1, 10);
  const JudgedAgainst against = judged_against_phase("full", full);
  const config::Case spec = case_of_phase(case_with(keys), 1, against.reference);
  const std::optional<Outcome> ended = Exited{0};
  return judge_phase({spec, 1, against, full, checkpoint, resumed, ended}, "", "");
}

TEST(Phases, ThatGoOnExactlyPass) {
  const CaseReport report = judged(run(6, 10), "", 5);
  EXPECT_EQ(report.verdict, Verdict::passed) << report.reason;
  ASSERT_EQ(report.checks.size(), 1u);
  EXPECT_EQ(report.checks[0].rule, "lm_loss resume");
  EXPECT_EQ(report.checks[0].phase, "resume");
  EXPECT_EQ(report.checks[0].compared, 5);
  EXPECT_EQ(report.checks[0].baseline_file, "phase full");
}

TEST(Phases, HaveTheirPartOfTheCurveAndNoRestOfIt) {
  for (const std::size_t phase : {0, 1})
    for (const std::string keys : {"", "phase.resume.tolerance = \"rules\"\n"})
      EXPECT_TRUE(
          std::ranges::none_of(case_of_phase(case_with(keys), phase, {}).rules, &Rule::is_rest_of_curve))
          << phase << keys;
}

TEST(Phases, ThatDifferAtAStepFailThere) {
  const CaseReport report = judged(run(6, 10, 8, 1), "", 5);
  EXPECT_EQ(report.verdict, Verdict::regressed);
  EXPECT_EQ(report.checks[0].first_miss->number, 8);
}

TEST(Phases, ThatBeginAtTheFirstStepAreNoResumeHoweverEqual) {
  const CaseReport report = judged(run(1, 10));
  EXPECT_EQ(report.verdict, Verdict::incomplete);
  EXPECT_EQ(report.reason, "began at step 1: nothing was resumed");
}

TEST(Phases, MustBeginRightBehindTheCheckpoint) {
  EXPECT_THAT(judged(run(4, 10), "", 5).reason, HasSubstr("the newest checkpoint was of step 5"));
  EXPECT_THAT(judged(run(7, 10), "", 5).reason, HasSubstr("began at step 7"));
  EXPECT_THAT(judged(run(10, 10), "", 10).reason, HasSubstr("no step to be compared"));
  EXPECT_EQ(judged(run(7, 10)).verdict, Verdict::passed) << "where its step is not known";
}

TEST(Phases, MustEndWhereTheOtherOneEnded) {
  EXPECT_EQ(judged(run(6, 9), "", 5).verdict, Verdict::incomplete);
  EXPECT_NE(judged(Extraction{}, "", 5).verdict, Verdict::passed);
}

TEST(Phases, AreJudgedInTheirWindow) {
  EXPECT_EQ(judged(run(6, 10, 7, 1), "phase.resume.window = \"after 7\"\n", 5).verdict, Verdict::passed);
  EXPECT_EQ(judged(run(6, 10, 8, 1), "phase.resume.window = \"after 7\"\n", 5).verdict, Verdict::regressed);
}

TEST(Phases, ByTheRulesAreWithinTheirTolerance) {
  const std::string rules = "phase.resume.tolerance = \"rules\"\n";
  EXPECT_EQ(judged(run(6, 10, 8, 9), rules, 5).verdict, Verdict::passed);
  EXPECT_EQ(judged(run(6, 10, 8, 11), rules, 5).verdict, Verdict::regressed);
}

TEST(Phases, AreHeldToRulesThatNeedNoBaseline) {
  const std::string ceiling = "rules.low = { metric = \"lm_loss\", tolerance = \"<= 2.5\" }\n";
  const CaseReport report = judged(run(6, 10), ceiling, 5);
  EXPECT_EQ(report.verdict, Verdict::regressed);
  EXPECT_EQ(report.checks.size(), 2u);
}

TEST(Phases, MakeTheVerdictOfTheCaseTheWorst) {
  CaseReport report;
  report.verdict = Verdict::passed;
  add_phase(report, judged(run(6, 10), "", 5), "resume");
  EXPECT_EQ(report.verdict, Verdict::passed);
  add_phase(report, judged(run(6, 10, 8, 1), "", 5), "resume");
  EXPECT_EQ(report.verdict, Verdict::regressed);
  EXPECT_THAT(report.reason, HasSubstr("phase resume: "));
  CaseReport crashed;
  crashed.verdict = Verdict::crashed;
  crashed.reason = "exited 1";
  add_phase(crashed, judged(run(1, 10)), "resume");
  EXPECT_EQ(crashed.verdict, Verdict::crashed);
  EXPECT_EQ(crashed.reason, "exited 1");
  EXPECT_EQ(crashed.checks.size(), 1u);
}

}  // namespace
}  // namespace gate::app::phases_test
