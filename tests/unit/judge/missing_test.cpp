// What the baseline has and the run has not, and the other way round.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::missing_test {
namespace {

using ::testing::ElementsAre;

constexpr auto fail = CheckStatus::fail;
constexpr auto missing = CheckStatus::missing;

TEST(Missing, AnyStepOfTheBaselineIsNamed) {
  const Rule first = rule("lm_loss", "±0.01", "first 3");
  EXPECT_THAT(checked(first, flat("lm_loss", 1, 15, "1.00"), flat("lm_loss", 1, 9, "1.00")).remarks,
              are(remark::MissingSteps{steps("10-15"), 15}))
      << "outside the window too";
}

TEST(Missing, AFailureIsNotHiddenByAGap) {
  const Check check =
      checked(rule("lm_loss", "±0.01"), flat("lm_loss", 1, 9, "1.00"), "lm_loss 1:1.00 2:2.00 3:1.00");
  EXPECT_EQ(check.status, fail);
  EXPECT_THAT(check.remarks, have(remark::MissingSteps{steps("4-9"), 9}));
}

// Some versions of Megatron print no loss of 0, which others do.
TEST(Missing, AValueThatMayBeAZeroThatIsNotPrinted) {
  const Rule loss = rule("lm_loss", "±0.01");
  const Check check = checked(loss, "lm_loss 1:1.00 2:0.00 3:1.00", "lm_loss 1:1.00 2:- 3:1.00");
  EXPECT_EQ(check.status, missing);
  EXPECT_THAT(check.remarks, have(remark::MissingSteps{steps("2"), 3}));
  EXPECT_EQ(checked(loss, "lm_loss 1:1.00 2:0.01 3:1.00", "lm_loss 1:1.00 2:- 3:1.00").status, fail);
  EXPECT_EQ(checked(loss, "lm_loss 1:1.00 2:0.00 3:1.00", "lm_loss 1:1.00 2:nan 3:1.00").status, fail);
}

TEST(Missing, ASeriesOrRank) {
  const Judgement judgement =
      judged(built_in_rules(), "lm_loss 1:1.00\nmemory_allocated/0 1:5.00\nmemory_allocated/1 1:5.00",
             "lm_loss 1:1.00\nmemory_allocated/0 1:5.00");
  ASSERT_EQ(judgement.checks.size(), 3U);
  EXPECT_EQ(judgement.checks[0].status, missing);
  EXPECT_THAT(judgement.checks[0].remarks, are(remark::NotInRun{}));
  EXPECT_EQ(judgement.verdict, Verdict::incomplete);
  EXPECT_EQ(judgement.reason, "memory_allocated rank 1: not in the run");
}

TEST(Missing, AReport) {
  const Check check = checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:5.00 2:6.00",
                              "memory_allocated/0 1:5.00");
  EXPECT_EQ(check.status, missing);
  EXPECT_EQ(check.numbered, Numbering::report);
  EXPECT_THAT(check.remarks, are(remark::MissingSteps{steps("2"), 2}));
}

// Of constants alone nobody but the window says how many values there must be.
TEST(Missing, ValuesOfAWindow) {
  struct Row {
    const char* window;
    const char* reason;  // "": it passes
  };
  const std::string log = flat("grad_norm", 1, 3, "1.0");
  for (const Row& row : {Row{"last 5", "grad_norm: the window \"last 5\" holds 2 of 5 values"},
                         Row{"first 4", "grad_norm: the window \"first 4\" holds 3 of 4 values"},
                         Row{"2..5", "grad_norm: the run ends within the window \"2..5\""}, Row{"last 3", ""},
                         Row{"first 3", ""}, Row{"2..3", ""}, Row{"after 1", ""}}) {
    Ask ask;
    ask.rules = {rule("grad_norm", "<= 5", row.window)};
    ask.log = run(log);
    ask.log.total = 3;
    const Judgement judgement = ask.judge();
    EXPECT_EQ(judgement.checks[0].status, *row.reason == 0 ? CheckStatus::pass : missing) << row.window;
    if (*row.reason == 0) continue;
    EXPECT_EQ(judgement.verdict, Verdict::incomplete);
    EXPECT_EQ(judgement.reason, row.reason);
    ask.reference = baseline(flat("lm_loss", 1, 3, "1.0"));
    EXPECT_EQ(ask.judge().checks[0].status, CheckStatus::pass) << "a baseline says that 3 steps are all";
  }
}

TEST(Beyond, IsSaidAndNotJudged) {
  const Judgement judgement =
      judged(built_in_rules(),
             flat("lm_loss", 1, 15, "1.00") + "\nmemory_allocated/0 1:5.00\nmemory_allocated/1 1:5.00",
             flat("lm_loss", 1, 20, "1.00") +
                 "\nmemory_allocated/0 1:5.00 2:9.00\nmemory_allocated/1 1:5.00 2:9.00");
  EXPECT_EQ(judgement.verdict, Verdict::passed);
  EXPECT_THAT(notes(judgement.notes), ElementsAre("lm_loss: bit-equal", "lm_loss: steps 16-20 not judged",
                                                  "memory_allocated ranks 0 and 1: report 2 not judged"));
}

TEST(Beyond, ARankThatTheBaselineLacksIsNotGreen) {
  const char* run = "memory_allocated/0 1:5.00\nmemory_allocated/1 1:15.00\nmemory_allocated/2 1:15.00";
  const Judgement judgement = judged({rule("memory_allocated", "+10%")}, "memory_allocated/0 1:5.00", run);
  EXPECT_EQ(judgement.verdict, Verdict::unjudged);
  ASSERT_EQ(judgement.checks.size(), 3U);
  EXPECT_EQ(judgement.checks[1].rank, 1);
  EXPECT_THAT(judgement.checks[1].remarks, are(remark::Plain::rank_not_in_baseline));
  const auto verdict_below = [&](const char* limit) {
    return judged({rule("memory_allocated", limit)}, "memory_allocated/0 1:5.00", run).verdict;
  };
  EXPECT_EQ(verdict_below("<= 20"), Verdict::passed);
  EXPECT_EQ(verdict_below("<= 12"), Verdict::regressed);
}

TEST(Beyond, ARankThatTheBaselineLacksStillFailsOnNaN) {
  const Judgement judgement = judged({rule("memory_allocated", "+10%")}, "memory_allocated/0 1:5.00",
                                     "memory_allocated/0 1:5.00\nmemory_allocated/1 1:nan");
  EXPECT_EQ(judgement.verdict, Verdict::regressed);
  EXPECT_EQ(judgement.reason, "memory_allocated rank 1 report 1: nan");
}

}  // namespace
}  // namespace gate::judge::testing::missing_test
