// A log that prints an accuracy is judged by one.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::accuracy_test {
namespace {

using testing::Ask;
using testing::baseline;
using testing::flat;
using ::testing::HasSubstr;
using testing::rule;
using testing::run;
using ::testing::StartsWith;

const std::string speed = flat("throughput", 1, 10, "100.0") + "\n";

Ask asked(const std::string& reference, const std::string& log) {
  Ask ask;
  ask.strict = Strict::accuracy;
  ask.reference = baseline(speed + reference);
  ask.log = run(speed + log);
  return ask;
}

std::string verdict(const Ask& ask) {
  const Judgement judgement = ask.judge();
  return std::string(to_string(judgement.verdict)) + ": " + judgement.reason.english();
}

TEST(JudgedAccuracy, IsAskedForWhereOneStandsAtMoreThanHalfOfTheSteps) {
  for (const std::string metric : {"lm_loss", "reward", "policy_loss"}) {
    EXPECT_THAT(verdict(asked("", flat(metric, 1, 6, "1.000"))),
                StartsWith("unjudged: no accuracy is judged, and the log prints " + metric));
    EXPECT_THAT(verdict(asked("", flat(metric, 1, 5, "1.000"))), StartsWith("passed"));
  }
  EXPECT_THAT(verdict(asked("", flat("kl", 1, 10, "1.000"))), StartsWith("passed"));
  EXPECT_THAT(verdict(asked("", flat("validation_loss", 1, 2, "1.000"))), StartsWith("passed"));
}

TEST(JudgedAccuracy, IsAnyThatARuleCompares) {
  Ask ask = asked(flat("grad_norm", 1, 10, "1.000"),
                  flat("reward", 1, 10, "1.000") + "\n" + flat("grad_norm", 1, 10, "1.000"));
  EXPECT_THAT(verdict(ask), StartsWith("unjudged"));
  ask.rules.push_back(rule("grad_norm", "±2%"));
  EXPECT_THAT(verdict(ask), StartsWith("passed"));
  Ask constant = asked("", flat("reward", 1, 10, "1.000"));
  constant.rules.push_back(rule("reward", ">= 0.5"));
  EXPECT_THAT(verdict(constant), StartsWith("passed"));
}

TEST(JudgedAccuracy, IsNotAskedForWhereNobodyIsStrict) {
  Ask ask = asked("", flat("lm_loss", 1, 10, "1.000"));
  ask.strict = Strict::no;
  EXPECT_THAT(verdict(ask), StartsWith("passed"));
  ask.strict = Strict::yes;
  EXPECT_THAT(verdict(ask), StartsWith("unjudged"));
  ask.strict = Strict::accuracy;
  ask.mode = Mode::exit;
  ask.outcome = Exited{0};
  EXPECT_THAT(verdict(ask), StartsWith("passed"));
}

TEST(JudgedAccuracy, HidesNoFailure) {
  Ask ask = asked("", flat("lm_loss", 1, 10, "1.000"));
  ask.log.series.front() = testing::series(flat("throughput", 1, 10, "10.0"));
  EXPECT_THAT(verdict(ask), StartsWith("regressed"));
}

TEST(JudgedAccuracy, CountsLossesThatNothingReads) {
  Ask ask = asked("", "");
  ask.log.unread = {{6, "Loss", "[Step 1/10] Loss: 2.5", true}};
  EXPECT_THAT(verdict(ask),
              StartsWith("unjudged: no accuracy is judged, and nothing reads the loss in 6 lines "
                         "such as [Step 1/10] Loss: 2.5: gate init LOG"));
  ask.log.unread = {{6, "val ppl", "val ppl 12.1", false}};
  EXPECT_THAT(verdict(ask), StartsWith("passed"));
  ask.log.unread = {{5, "Loss", "[Step 1/10] Loss: 2.5", true}};
  EXPECT_THAT(verdict(ask), StartsWith("passed"));
}

TEST(JudgedAccuracy, IsNoneWhereTheToleranceIsAsLargeAsTheValues) {
  const std::string small = flat("lm_loss", 1, 10, "0.004500"),
                    other = flat("lm_loss", 1, 9, "0.004500") + " 10:0.020000";
  EXPECT_THAT(
      verdict(asked(small, small)),
      StartsWith(
          "unjudged: lm_loss: with ±0.01 it may change by 100 % at each step (rules.lm_loss.tolerance = "
          "\"±1%\""));
  EXPECT_THAT(verdict(asked(other, other)), StartsWith("passed"));
  const std::string longer = flat("lm_loss", 1, 30, "0.004500");
  EXPECT_THAT(verdict(asked(longer, longer)), StartsWith("unjudged: lm_loss: with ±0.01"));
  Ask own = asked(small, small);
  own.strict = Strict::no;
  own.rules = {rule("lm_loss", "±0.01")};
  EXPECT_THAT(verdict(own), StartsWith("unjudged: lm_loss: with ±0.01")) << "whoever wrote it";
  Ask fine = asked(small, small);
  fine.rules = {rule("lm_loss", "±1%")};
  EXPECT_THAT(verdict(fine), StartsWith("passed"));
  for (const char* value : {"0.000000", "0.009000"}) {
    fine.log = run(flat("lm_loss", 1, 10, value));
    EXPECT_THAT(verdict(fine), StartsWith("regressed")) << "what is offered fails";
  }
  Ask further =
      asked(small + "\n" + flat("reward", 1, 10, "1.500"), small + "\n" + flat("reward", 1, 10, "1.500"));
  further.rules.push_back(rule("reward", "±2%"));
  EXPECT_THAT(verdict(further), StartsWith("passed"));
}

}  // namespace
}  // namespace gate::judge::accuracy_test
