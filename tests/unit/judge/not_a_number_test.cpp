// Printed steps whose value is no finite number.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::not_a_number_test {
namespace {

using ::testing::HasSubstr;

constexpr auto pass = CheckStatus::pass;
constexpr auto fail = CheckStatus::fail;
constexpr auto incomparable = CheckStatus::incomparable;

TEST(NotANumber, FailsAtAnyStep) {
  const std::string reference = flat("lm_loss", 1, 5, "1.00");
  for (const char* printed : {"nan", "inf", "-inf", "-"}) {
    const ValueKind kind = sample(1, printed).text.empty() ? ValueKind::left_out : number(printed).kind;
    for (const int at : {1, 3, 5, 7}) {
      std::string log = flat("lm_loss", 1, 8, "1.00");
      log.replace(log.find(std::to_string(at) + ":") + 2, 4, printed);
      const Check check = checked(rule("lm_loss", "±0.01", "first 2"), reference, log);
      EXPECT_EQ(check.status, fail) << printed << " at " << at;
      EXPECT_EQ(check.first_miss->number, at);
      EXPECT_EQ(check.first_miss->line, 100U + static_cast<unsigned>(at));
      EXPECT_THAT(check.remarks, have(remark::NotFinite{"lm_loss", kind, steps(std::to_string(at))}))
          << printed;
    }
  }
}

TEST(NotANumber, InfinityOnBothSidesDoesNotPass) {
  for (const char* printed : {"inf", "-inf", "nan"}) {
    const std::string text = std::string("lm_loss 1:1.00 2:") + printed + " 3:1.00";
    EXPECT_EQ(checked(rule("lm_loss", "±0.01"), text, text).status, fail);
    EXPECT_EQ(checked(rule("lm_loss", "exact"), text, text).status, fail);
    EXPECT_EQ(checked(rule("lm_loss", "+5%", "all", "mean"), text, text).status, fail);
  }
}

TEST(NotANumber, InTheBaselineIsIncomparable) {
  const Check check = checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.00 2:nan", "lm_loss 1:1.00 2:1.00");
  EXPECT_EQ(check.status, incomparable);
  EXPECT_THAT(check.remarks, are(remark::BaselineNotFinite{number("nan"), 2}));
  EXPECT_EQ(
      checked(rule("lm_loss", "±0.01", "first 1"), "lm_loss 1:1.00 2:nan", "lm_loss 1:1.00 2:1.00").status,
      pass);
}

TEST(NotANumber, WhatTheBaselineLeftOutIsNotRecorded) {
  const Check check = checked(rule("lm_loss", "±0.01", "first 2"), "lm_loss 1:- 2:1.00 3:1.00",
                              "lm_loss 1:5.00 2:1.00 3:1.00");
  EXPECT_EQ(check.status, pass);
  EXPECT_EQ(check.steps, steps("2, 3"));
  EXPECT_THAT(check.remarks, have(remark::NotJudged{steps("1")}));
}

TEST(NotANumber, TheCauseIsNamed) {
  const Judgement judgement = judged({rule("lm_loss", "±0.01")}, "lm_loss 1:1.00 2:1.00 3:1.00",
                                     "lm_loss 1:- 2:- 3:1.00\ngrad_norm 1:nan 2:0.000 3:0.000");
  EXPECT_THAT(judgement.checks[0].remarks,
              are(remark::NotFinite{"lm_loss", ValueKind::left_out, steps("1-2")},
                  remark::AtSameStep{"grad_norm", number("nan"), 1}));
  EXPECT_EQ(judgement.reason, "lm_loss steps 1 and 2: no lm loss printed; grad norm nan at step 1");
  EXPECT_THAT(judged({rule("lm_loss", "±0.01")}, "lm_loss 1:1.00 2:1.00",
                     "lm_loss 1:- 2:1.00\nskipped_iterations 1:1 2:0")
                  .reason,
              HasSubstr("step 1 skipped by the framework"));
}

TEST(NotANumber, ComesBeforeAllOtherMisses) {
  const Check check =
      checked(rule("lm_loss", "±0.01"), flat("lm_loss", 1, 4, "1.00"), "lm_loss 1:1.00 2:2.00 3:nan 4:1.00");
  EXPECT_EQ(check.first_miss->number, 3);
  EXPECT_EQ(check.misses, 2);
}

}  // namespace
}  // namespace gate::judge::testing::not_a_number_test
