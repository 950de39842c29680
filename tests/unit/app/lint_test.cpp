// Weak baselines, rules that cannot fail, and what guards what, over the cases of a suite.
#include "gate/stored/lint.h"

#include <gmock/gmock.h>

#include "gate/stored/list.h"
#include "gate/stored/selftest.h"
#include "suite_of_files.h"

namespace gate::app::lint_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Guarded = SuiteOfFiles;

std::vector<std::string> findings_of(const judge::Lint& lint) {
  std::vector<std::string> names;
  for (const judge::LintCase& c : lint.cases)
    for (const judge::Finding& finding : c.findings)
      if (finding.row->weight == judge::Weight::weak)
        names.push_back(c.name + " " + std::string(finding.row->name));
  return names;
}

LintOptions all_of(const fs::Path& folder) {
  return {.words = {}, .tags = {}, .platform = "", .environment = "", .folder = folder};
}

TEST_F(Guarded, ACaseWithoutABaselineIsNotLookedAt) {
  script("x");
  const auto looked = lint(suite(), all_of(root), moment());
  ASSERT_TRUE(looked) << looked.error().message;
  EXPECT_EQ(looked->exit_code(), exit_code::refused);
  ASSERT_EQ(looked->cases.size(), 1U);
  EXPECT_THAT(looked->cases[0].why_not, HasSubstr("no baseline"));
  EXPECT_EQ(looked->false_red(), std::nullopt);
}

TEST_F(Guarded, ABaselineThatDoesNotPassIsWeak) {
  script("x");
  baseline("x", log("a.log"));
  put("gate.toml", "[rules.lm_loss]\ntolerance = \">= 9\"\n");
  const auto looked = lint(suite(), all_of(root), moment());
  ASSERT_TRUE(looked) << looked.error().message;
  EXPECT_EQ(looked->exit_code(), exit_code::regressed);
  EXPECT_THAT(findings_of(*looked), testing::Contains(HasSubstr("x ")));
}

TEST_F(Guarded, WordsAndTagsChooseCases) {
  script("x", "tags=smoke");
  script("y");
  baseline("x", log("a.log"));
  baseline("y", at("a.log"));
  LintOptions options = all_of(root);
  options.tags = {"smoke"};
  EXPECT_EQ(lint(suite(), options, moment())->cases.size(), 1U);
  options.tags = {};
  options.words = {"y"};
  EXPECT_EQ(lint(suite(), options, moment())->cases.at(0).name, "y");
  options.words = {"z"};
  const auto unknown = lint(suite(), options, moment());
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().exit_code, exit_code::usage);
}

TEST_F(Guarded, EveryRuleOfABaselineIsTried) {
  script("x");
  baseline("x", log("a.log"));
  const auto tried =
      selftest(suite(), {.words = {}, .tags = {}, .platform = "", .environment = "", .folder = root});
  ASSERT_TRUE(tried) << tried.error().message;
  EXPECT_EQ(tried->exit_code(), exit_code::ok);
  EXPECT_EQ(tried->count(judge::Proof::survived), 0);
  EXPECT_GT(tried->count(judge::Proof::held), 0);
}

TEST_F(Guarded, AJudgeThatPassesEverythingIsFoundOut) {
  script("x");
  baseline("x", log("a.log"));
  const auto blind = [](const judge::JudgeInput& question) {
    Judgement judgement = judge::judge(question);
    judgement.verdict = Verdict::passed;
    return judgement;
  };
  const auto tried =
      selftest(suite(), {.words = {}, .tags = {}, .platform = "", .environment = "", .folder = root}, blind);
  ASSERT_TRUE(tried) << tried.error().message;
  EXPECT_EQ(tried->exit_code(), exit_code::regressed);
  EXPECT_GT(tried->count(judge::Proof::survived), 0);
}

TEST_F(Guarded, WhereOnlyTheExitIsJudgedNothingIsTried) {
  script("x", "judge=exit");
  const auto tried =
      selftest(suite(), {.words = {}, .tags = {}, .platform = "", .environment = "", .folder = root});
  ASSERT_TRUE(tried) << tried.error().message;
  EXPECT_EQ(tried->exit_code(), exit_code::refused);
  EXPECT_FALSE(tried->cases.at(0).why_not.empty());
}

TEST_F(Guarded, ARowSaysWhatACaseNeedsAndHas) {
  script("x", "devices=8 platform=ascend-* timeout=2h tags=nightly,big");
  script("y");
  baseline("y", log("a.log"));
  const Suite opened = suite();
  const auto rows = list(opened, *choose(opened, {}, {}, root));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].script, "scripts/x.sh");
  EXPECT_EQ(rows[0].needs, "8 devices, ascend-*");
  EXPECT_EQ(rows[0].tags, "nightly,big");
  EXPECT_EQ(rows[0].baselines, "none");
  EXPECT_EQ(rows[1].baselines, "general");
}

TEST_F(Guarded, CoverageIsOfRulesThatHaveABaseline) {
  script("x");
  script("y");
  baseline("y", log("a.log"));
  const Suite opened = suite();
  const auto listed = guard_list(opened, *choose(opened, {}, {}, root));
  ASSERT_TRUE(listed) << listed.error().message;
  const std::vector<GuardRow>& rows = listed->rows;
  EXPECT_FALSE(rows.at(0).accuracy || rows.at(0).speed || rows.at(0).memory || rows.at(0).guards());
  EXPECT_TRUE(rows.at(1).accuracy && rows.at(1).speed && rows.at(1).guards());
  EXPECT_FALSE(rows.at(1).memory);
}

}  // namespace
}  // namespace gate::app::lint_test
