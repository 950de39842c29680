#include "gate/judging/judged_phases.h"

#include <gmock/gmock.h>

#include <map>

#include "gate/judge/profile.h"

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

config::Case case_with(const std::string& keys, const std::string& of_suite = "") {
  const auto policy =
      config::Policy::parse(of_suite + "[case.a]\nphases = [\"full\", \"resume\"]\n" + keys, "gate.toml");
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
  EXPECT_EQ(report.verdict, Verdict::passed) << report.reason.english();
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

// A case of two phases, judged as a run or a check judges it.
struct TwoPhases {
  std::string name;
  Extraction full = run(1, 10);
  std::optional<Extraction> resumed = run(6, 10);  // none: nothing is known of it
  Outcome ended = Exited{0};                       // of the resumed one
  std::string left_out = {};                       // why it was not started
};

CaseReport judged_by(const TwoPhases& of, const std::string& profile, const std::string& shadow) {
  const config::Case whole =
      case_with("phase.resume.tolerance = \"rules\"\n",
                "[suite]\nprofile = \"" + profile + "\"\nshadow = \"" + shadow + "\"\n");
  Baseline baseline;
  baseline.runs.push_back({10, run(1, 10).series});
  const std::optional<Outcome> well = Exited{0};
  CaseReport report = judge_case(whole, {make_reference(baseline, "a.json"), {}}, of.full, well, "", "");
  if (!of.left_out.empty()) {
    leave_out_phase(report, of.left_out);
  } else if (!of.resumed) {
    CaseReport none;
    none.verdict = Verdict::incomplete;
    none.reason = "no log";
    add_phase(report, std::move(none), "resume");
  } else {
    const JudgedAgainst against = judged_against_phase("full", of.full);
    const config::Case spec = case_of_phase(whole, 1, against.reference);
    const std::optional<Outcome> ended = of.ended;
    add_phase(report, judge_phase({spec, 1, against, of.full, 5, *of.resumed, ended}, "", ""), "resume");
  }
  return report;
}

std::string told(Verdict verdict, const std::string& reason, const std::vector<Check>& checks) {
  std::string text = std::string(to_string(verdict)) + ": " + reason;
  for (const Check& check : checks) text += "\n" + check.phase + " " + check.rule + " " + check.metric;
  return text;
}

const TwoPhases two_phases[] = {
    {.name = "good"},
    {.name = "red in the first", .full = run(1, 10, 8, 500), .resumed = run(6, 10, 8, 500)},
    {.name = "red in the later", .resumed = run(6, 10, 8, 500)},
    {.name = "red in both", .full = run(1, 10, 8, 500), .resumed = run(6, 10, 9, 500)},
    {.name = "off by a little", .resumed = run(6, 10, 8, 1)},
    {.name = "the first off by a little", .full = run(1, 10, 8, 11), .resumed = run(6, 10, 8, 11)},
    {.name = "later crashed", .resumed = run(6, 8), .ended = Exited{1}},
    {.name = "red, later crashed", .full = run(1, 10, 8, 500), .resumed = run(6, 8), .ended = Exited{1}},
    {.name = "not resumed", .resumed = run(1, 10)},
    {.name = "later empty", .resumed = Extraction{}},
    {.name = "no log of the later", .resumed = std::nullopt},
    {.name = "later not started", .left_out = "was not started"},
};

// For information a profile says of all phases what it says as the first one.
TEST(Phases, AreJudgedByTheShadowAsByAProfile) {
  int differing = 0;
  for (const TwoPhases& one : two_phases) {
    std::map<std::string, CaseReport> by_profile;
    for (const judge::ProfileRow& row : judge::profiles())
      by_profile[std::string(row.name)] = judged_by(one, std::string(row.name), "none");
    for (const auto& [profile, alone] : by_profile)
      for (const auto& [shadow, other] : by_profile) {
        if (profile == shadow) continue;
        const CaseReport both = judged_by(one, profile, shadow);
        const std::string which = one.name + ", " + profile + " beside " + shadow;
        ASSERT_TRUE(both.shadow) << which;
        EXPECT_EQ(both.shadow->profile, shadow);
        EXPECT_EQ(told(both.shadow->verdict, both.shadow->reason.english(), both.shadow->checks),
                  told(other.verdict, other.reason.english(), other.checks))
            << which;
        EXPECT_EQ(told(both.verdict, both.reason.english(), both.checks),
                  told(alone.verdict, alone.reason.english(), alone.checks))
            << which;
        EXPECT_FALSE(alone.shadow) << which;
        differing += both.shadow->verdict != both.verdict ? 1 : 0;
      }
  }
  EXPECT_GT(differing, 0);
}

TEST(Phases, ThatAreRedForTheShadowAloneAreNamed) {
  const CaseReport report = judged_by({.name = "", .resumed = run(6, 10, 8, 1)}, "gate", "megatron");
  EXPECT_EQ(report.verdict, Verdict::passed) << report.reason.english();
  EXPECT_EQ(report.shadow->verdict, Verdict::regressed);
  EXPECT_THAT(report.shadow->reason, HasSubstr("phase resume: "));
  EXPECT_EQ(report.shadow->checks.back().phase, "resume");
}

TEST(Phases, ThatAreNotStartedLeaveNothingGreen) {
  CaseReport report;
  report.verdict = Verdict::passed;
  report.shadow = Shadow{"gate", Verdict::passed, "", {}};
  leave_out_phase(report, "torn");
  EXPECT_EQ(report.verdict, Verdict::incomplete);
  EXPECT_EQ(report.reason, "torn");
  EXPECT_EQ(report.shadow->verdict, Verdict::incomplete);
  leave_out_phase(report, "another");
  EXPECT_EQ(report.reason, "torn");
  EXPECT_EQ(report.notes.size(), 1u);
}

}  // namespace
}  // namespace gate::app::phases_test
