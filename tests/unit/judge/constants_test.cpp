// Constants, which need no baseline, and waivers.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::constants_test {
namespace {

constexpr auto pass = CheckStatus::pass;
constexpr auto fail = CheckStatus::fail;
constexpr auto missing = CheckStatus::missing;

TEST(Constants, NeedNoBaseline) {
  const Rule rule = testing::rule("grad_norm", "<= 5");
  EXPECT_EQ(checked(rule, "", "grad_norm 1:4.9 2:5.00").status, pass);
  const Check check = checked(rule, "", "grad_norm 1:4.9 2:5.01 3:7");
  EXPECT_EQ(check.status, fail);
  EXPECT_EQ(check.first_miss->number, 2);
  EXPECT_EQ(MissWords(*check.first_miss).baseline, "");
  EXPECT_EQ(Words(check).actual, "7");
  EXPECT_EQ(Words(check).limit, "5");
  EXPECT_EQ(Words(check).margin, "-2");
  EXPECT_THAT(checked(rule, "", "lm_loss 1:1.00").remarks, are(remark::NotInRun{}));
  EXPECT_EQ(checked(rule, "", "lm_loss 1:1.00").status, missing);
  EXPECT_EQ(checked(rule, "", "grad_norm 1:1.00 2:nan").status, fail);
}

TEST(Constants, AValueOnABoundWithoutItsEdgeFails) {
  EXPECT_EQ(checked(testing::rule("grad_norm", "< 5"), "", "grad_norm 1:4.9 2:4.99").status, pass);
  const Check check = checked(testing::rule("grad_norm", "< 5"), "", "grad_norm 1:4.9 2:5.00");
  EXPECT_EQ(check.status, fail);
  EXPECT_EQ(Words(check).limit, "< 5");
  EXPECT_EQ(Words(check).margin, "0.00");
  EXPECT_EQ(check.misses, 1);
  EXPECT_EQ(checked(testing::rule("grad_norm", "!= 0"), "", "grad_norm 1:-1 2:1").status, pass);
  EXPECT_EQ(checked(testing::rule("grad_norm", "!= 0"), "", "grad_norm 1:-1 2:0.0").status, fail);
  EXPECT_EQ(checked(testing::rule("grad_norm", "!= 0"), "", "grad_norm 1:nan").status, fail);
  EXPECT_EQ(checked(testing::rule("grad_norm", "> 2", "all", "mean"), "", "grad_norm 1:1 2:3").status, fail);
  EXPECT_EQ(checked(testing::rule("grad_norm", "> 2", "all", "mean"), "", "grad_norm 1:1 2:3.1").status,
            pass);
}

TEST(Constants, OfEveryRankOrOfAllTogether) {
  Rule rule = testing::rule("memory_allocated", "<= 100");
  EXPECT_EQ(judged({rule}, "", "memory_allocated/0 1:99\nmemory_allocated/1 1:101").checks.size(), 2U);
  rule.rank = RankMode::max;
  EXPECT_EQ(Words(checked(rule, "", "memory_allocated/0 1:99\nmemory_allocated/1 1:101")).actual, "101");
}

TEST(Constants, WithABaselineMustHaveItsSteps) {
  const Rule rule = testing::rule("grad_norm", "<= 5", "first 1");
  EXPECT_EQ(checked(rule, "grad_norm 1:9 2:9", "grad_norm 1:1").status, missing);
  EXPECT_EQ(checked(rule, "grad_norm 1:9 2:9", "grad_norm 1:1 2:9").status, pass)
      << "step 2 is outside of the window";
}

TEST(Waiver, HoldsToItsLastDay) {
  Ask ask;
  ask.rules = {rule("lm_loss", "±0.01")};
  ask.rules[0].waive = Waiver{"issue 71", "2026-06-15"};
  ask.reference = baseline("lm_loss 1:1.00");
  ask.log = run("lm_loss 1:2.00");
  EXPECT_EQ(ask.judge().checks[0].status, CheckStatus::waived);
  EXPECT_THAT(ask.judge().checks[0].remarks, have(remark::Waived{"2026-06-15", "issue 71", false}));
  EXPECT_EQ(ask.judge().verdict, Verdict::unjudged);
  EXPECT_EQ(ask.judge().reason, "nothing is judged but what is waived: lm_loss");
  ask.today = "2026-06-16";
  EXPECT_EQ(ask.judge().verdict, Verdict::regressed);
  EXPECT_THAT(ask.judge().checks[0].remarks, have(remark::Waived{"2026-06-15", "issue 71", true}));
}

TEST(Waiver, PassesBesideWhatIsJudged) {
  Ask ask;
  ask.rules = {rule("lm_loss", "±0.01"), rule("grad_norm", "±0.01")};
  ask.rules[0].waive = Waiver{"issue 71", "2026-06-15"};
  ask.reference = baseline("lm_loss 1:1.00\ngrad_norm 1:1.00");
  ask.log = run("lm_loss 1:2.00\ngrad_norm 1:1.00");
  EXPECT_EQ(ask.judge().verdict, Verdict::passed);
  EXPECT_EQ(ask.judge().reason, "1 check passed, 1 waived");
  ask.rules[1].waive = ask.rules[0].waive;
  ask.log = run("lm_loss 1:2.00\ngrad_norm 1:2.00");
  EXPECT_EQ(ask.judge().reason, "nothing is judged but what is waived: lm_loss, and 1 more check");
}

TEST(Waiver, IsForFailuresOnly) {
  Ask ask;
  ask.rules = {rule("lm_loss", "±0.01")};
  ask.rules[0].waive = Waiver{"issue 71", "2026-12-31"};
  ask.reference = baseline("lm_loss 1:1.00 2:1.00");
  ask.log = run("lm_loss 1:1.00");
  EXPECT_EQ(ask.judge().verdict, Verdict::incomplete);
}

TEST(Converged, ARunThatSaysItDidNotIsRegressed) {
  Ask ask;
  ask.reference = baseline("lm_loss 1:1.00 2:1.00");
  ask.log = run("lm_loss 1:1.00 2:1.00\nconverged 1:0");
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.verdict, Verdict::regressed);
  EXPECT_EQ(judgement.reason, "converged out of == 1 first at report 1 (0, 1 of 1)");
  ask.log = run("lm_loss 1:1.00 2:1.00\nconverged 1:1");
  EXPECT_EQ(ask.judge().verdict, Verdict::passed);
}

TEST(Converged, IsWellWhereItIsSwitchedOffAndJudgedByARuleOfItsOwn) {
  Ask ask;
  std::erase_if(ask.rules, [](const Rule& rule) { return rule.name == converged_rule; });
  ask.reference = baseline("lm_loss 1:1.00 2:1.00");
  ask.log = run("lm_loss 1:1.00 2:1.00\nconverged 1:0");
  EXPECT_EQ(ask.judge().verdict, Verdict::passed) << "rules.converged = false";
  ask.rules.push_back(rule("converged", "== 1"));
  EXPECT_EQ(ask.judge().verdict, Verdict::regressed);
}

}  // namespace
}  // namespace gate::judge::testing::constants_test
