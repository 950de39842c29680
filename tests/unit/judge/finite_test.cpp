// The built-in rule `finite`, and what it leaves to other rules.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::finite_test {
namespace {

using testing::all_series;
using testing::Ask;
using testing::baseline;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::run;

const std::string loss = "lm_loss 1:2.500 2:2.400 3:2.300 4:2.200\n";

Judgement judged(const std::string& reference, const std::string& log) {
  Ask ask;
  ask.reference = baseline(loss + reference);
  ask.log = run(loss + log);
  return ask.judge();
}

// Return `VERDICT; METRIC[/RANK] STEPS, ...` of the rule's checks, and its notes.
std::vector<std::string> found(const Judgement& judgement) {
  std::vector<std::string> out{std::string(to_string(judgement.verdict))};
  for (const Check& check : judgement.checks)
    if (check.rule == finite_rule)
      out.push_back(check.metric + (check.rank ? "/" + std::to_string(*check.rank) : "") + " " +
                    to_string(check.steps));
  for (const Note& note : judgement.notes)
    if (std::holds_alternative<remark::OfSkipped>(note.remark) ||
        std::holds_alternative<remark::NewZeros>(note.remark))
      out.push_back(words::text(note).english());
  return out;
}

TEST(Finite, FailsWhatTheBaselineHasAsANumber) {
  for (const std::string metric : {"grad_norm", "params_norm", "reward", "policy_loss", "kl", "total_loss"})
    for (const std::string bad : {"nan", "inf", "-inf", "-"})
      EXPECT_THAT(found(judged(metric + " 1:1.0 2:1.1 3:1.2", metric + " 1:1.0 2:" + bad + " 3:1.2")),
                  ElementsAre("regressed", metric + " 2"))
          << bad;
}

TEST(Finite, HoldsOfWhatNoBaselineHas) {
  for (const std::string metric : {"total_loss", "reward", "grad_norm"})
    for (const std::string bad : {"nan", "inf", "-inf"}) {
      const auto of = [&](const std::string& values, const std::string& others = "") {
        const auto one = [&](const std::string& word) { return word == "x" ? bad : word; };
        std::string text = metric;
        for (std::size_t i = 0; i < values.size(); ++i)
          text += " " + std::to_string(i + 1) + ":" + one(values.substr(i, 1));
        return found(judged("", text + others));
      };
      EXPECT_THAT(of("xxxx"), ElementsAre("regressed", metric + " 1-4")) << bad;
      EXPECT_THAT(of("111x"), ElementsAre("regressed", metric + " 4")) << bad;
      EXPECT_THAT(of("1-11"), ElementsAre("passed")) << "a metric with holes";
      EXPECT_THAT(of("111x", "\nskipped_iterations 1:0 2:0 3:0 4:1").front(),
                  metric == "grad_norm" ? "passed" : "regressed");
      EXPECT_THAT(of("1x11").front(), metric == "grad_norm" ? "passed" : "regressed")
          << "of a norm a gradient that was thrown away";
      EXPECT_THAT(of("1x11", "\nskipped_iterations 1:0 2:0 3:0 4:0"),
                  ElementsAre("regressed", metric + " 2"));
    }
  Ask ask;
  ask.log = run("lm_loss 1:nan 2:nan");
  EXPECT_EQ(ask.judge().verdict, Verdict::unjudged) << "nothing is compared";
}

TEST(Finite, LeavesAloneWhatIsNoAccuracy) {
  EXPECT_THAT(found(judged("learning_rate 1:0.1 2:0.1", "learning_rate 1:0.1 2:nan")), ElementsAre("passed"));
  EXPECT_THAT(found(judged("grad_norm 1:nan 2:1.1", "grad_norm 1:nan 2:1.1")), ElementsAre("passed"));
}

TEST(Finite, HoldsBehindTheBaselinesEndAndOfOtherRanks) {
  EXPECT_THAT(found(judged("grad_norm 1:1.0 2:1.1", "grad_norm 1:1.0 2:1.1 9:inf")),
              ElementsAre("regressed", "grad_norm 9"));
  EXPECT_THAT(found(judged("grad_norm/0 1:1.0 2:1.1", "grad_norm/0 1:1.0 2:1.1\ngrad_norm/7 1:1.0 2:nan")),
              ElementsAre("regressed", "grad_norm/7 2"));
}

TEST(Finite, SaysOfAFailureWhereAndWhy) {
  const Judgement judgement = judged("grad_norm 1:1.0 2:1.1\nskipped_iterations 1:0 2:0",
                                     "grad_norm 1:1.0 2:inf\nskipped_iterations 1:0 2:1");
  EXPECT_EQ(judgement.reason, "grad_norm step 2: inf; step 2 skipped by the framework");
  const Check& check = judgement.checks.front();
  EXPECT_EQ(check.first_miss->line, 102);
  EXPECT_EQ(check.compared, 0);
}

TEST(Finite, TellsOfALossThatIsZeroWhoeverJudgesIt) {
  EXPECT_THAT(found(judged("moe_loss 1:1.0 2:1.1 3:0", "moe_loss 1:1.0 2:0 3:0")),
              ElementsAre("passed", "moe_loss: 0 at step 2, and not in the baseline"));
  Ask ask;
  ask.reference = baseline(loss);
  ask.log = run("lm_loss 1:2.500 2:2.400 3:0 4:0");
  EXPECT_THAT(found(ask.judge()),
              ElementsAre("regressed", "lm_loss: 0 at steps 3 and 4, and not in the baseline"));
}

TEST(Finite, IsNoComparison) {
  Ask ask;
  ask.reference = baseline("grad_norm 1:1.0 2:1.1");
  ask.log = run("grad_norm 1:1.0 2:1.1");
  EXPECT_EQ(ask.judge().verdict, Verdict::unjudged);
  ask.log = run("grad_norm 1:1.0 2:nan");
  EXPECT_EQ(ask.judge().verdict, Verdict::regressed);
}

TEST(Finite, IsSwitchedOffWithItsRule) {
  Ask ask;
  std::erase_if(ask.rules, [](const Rule& rule) { return rule.name == finite_rule; });
  ask.reference = baseline(loss + "grad_norm 1:1.0 2:1.1");
  ask.log = run(loss + "grad_norm 1:1.0 2:nan");
  EXPECT_EQ(ask.judge().verdict, Verdict::passed);
}

TEST(Finite, ARuleOfTheMetricDemandsItItself) {
  Ask ask;
  ask.rules.push_back(testing::rule("grad_norm", "±1", "first 1"));
  ask.reference = baseline(loss + "grad_norm 1:1.0 2:1.1");
  ask.log = run(loss + "grad_norm 1:1.0 2:nan");
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.verdict, Verdict::regressed);
  EXPECT_THAT(found(judgement), ElementsAre("regressed"));
}

TEST(Finite, ARecordWithoutTheMetricLeavesItOut) {
  EXPECT_THAT(found(judged("grad_norm 1:1.0 2:1.1 3:1.2 4:1.3", "grad_norm 1:1.0 2:1.1 4:1.3")),
              ElementsAre("regressed", "grad_norm 3"));
  EXPECT_THAT(found(judged("validation_loss 2:1.1 4:1.3", "validation_loss 3:1.2")), ElementsAre("passed"))
      << "what is printed now and then may be printed at other steps";
}

TEST(Finite, AMetricThatIsPrintedNoMoreIsListed) {
  const Judgement judgement = judged("grad_norm 1:1.0 2:1.1\nlearning_rate 1:1", "");
  EXPECT_EQ(judgement.verdict, Verdict::passed);
  std::vector<std::string> gone;
  for (const Ungated& one : judgement.ungated)
    if (words::text(one.reason) == "no longer printed") gone.push_back(one.metric);
  EXPECT_THAT(gone, ElementsAre("grad_norm"));
}

TEST(Finite, ANormOfASkippedStepNeedNotBeOneWhileSkipsDoNotRise) {
  const std::string numbers = "grad_norm 1:1.0 2:1.1 3:1.2 4:1.3\nskipped_iterations ";
  const std::string skipped = "grad_norm 1:1.0 2:1.1 3:inf 4:1.3\nskipped_iterations ";
  EXPECT_THAT(found(judged(numbers + "1:0 2:1 3:0 4:0", skipped + "1:0 2:0 3:1 4:0")),
              ElementsAre("passed", "grad_norm: step 3: inf, skipped by the framework"));
  EXPECT_THAT(found(judged(numbers + "1:0 2:0 3:0 4:0", skipped + "1:0 2:0 3:1 4:0")),
              ElementsAre("regressed", "grad_norm 3"));
  EXPECT_THAT(found(judged(numbers + "1:0 2:1 3:1 4:1", skipped + "1:0 2:0 3:1 4:1")),
              ElementsAre("passed", "grad_norm: step 3: inf, skipped by the framework"))
      << "a counter since the start";
  EXPECT_THAT(
      found(judged("kl 1:1 2:1\nskipped_iterations 1:0 2:1", "kl 1:1 2:nan\nskipped_iterations 1:0 2:1")),
      ElementsAre("regressed", "kl 2"))
      << "of a norm alone";
}

TEST(Finite, AStepThatBothLeaveOutIsNoFailure) {
  const auto verdict = [](const std::string& reference, const std::string& log) {
    Ask ask;
    ask.reference = baseline(reference);
    ask.log = run(log);
    return ask.judge().verdict;
  };
  const std::string skips = "lm_loss 1:2.500 2:- 3:2.300";
  EXPECT_EQ(verdict(skips, skips), Verdict::passed);
  EXPECT_EQ(verdict("lm_loss 1:2.500 2:2.400 3:2.300", skips), Verdict::regressed);
  EXPECT_EQ(verdict("lm_loss 1:2.500 3:2.300", skips), Verdict::regressed);
  EXPECT_EQ(verdict(skips, "lm_loss 1:2.500 2:nan 3:2.300"), Verdict::regressed);
  EXPECT_THAT(found(judged("grad_norm 1:1.0 2:0 3:1.2", "grad_norm 1:1.0 2:- 3:1.2")), ElementsAre("passed"))
      << "some versions leave a 0 out";
}

TEST(Finite, NanIterationsDoNotRise) {
  EXPECT_THAT(found(judged("nan_iterations 1:0 2:0 3:0", "nan_iterations 1:0 2:1 3:0")),
              ElementsAre("regressed", "nan_iterations 2"));
  EXPECT_THAT(found(judged("nan_iterations 1:0 2:1 3:0", "nan_iterations 1:1 2:0 3:0")),
              ElementsAre("passed"));
  EXPECT_THAT(found(judged("nan_iterations 1:0 2:1 3:0", "nan_iterations 1:0 2:1 3:1")),
              ElementsAre("regressed", "nan_iterations 3"));
  EXPECT_THAT(found(judged("nan_iterations 1:0 2:0", "nan_iterations 1:0 2:0 3:1")), ElementsAre("passed"))
      << "behind the baseline's end";
  EXPECT_THAT(found(judged("", "nan_iterations 1:0 2:1 3:1")),
              ElementsAre("regressed", "nan_iterations 2, 3"));
  EXPECT_THAT(found(judged("", "nan_iterations 1:0 2:0")), ElementsAre("passed"));
}

TEST(Finite, ANormOfZeroIsNoted) {
  EXPECT_THAT(found(judged("grad_norm 1:1 2:1 3:1 4:1", "grad_norm 1:1 2:0.0 3:0.0 4:1")),
              ElementsAre("passed", "grad_norm: 0 at steps 2 and 3, and not in the baseline"));
  EXPECT_THAT(found(judged("grad_norm 1:0 2:1 3:1 4:1", "grad_norm 1:0 2:1 3:0 4:0")),
              ElementsAre("passed", "grad_norm: 0 at steps 3 and 4, and not in the baseline"));
  EXPECT_THAT(found(judged("grad_norm 1:1 2:0 3:1", "grad_norm 1:1 2:0 3:1")), ElementsAre("passed"));
  EXPECT_THAT(found(judged("reward 1:1 2:1 3:1", "reward 1:1 2:0 3:1")), ElementsAre("passed"));
}

}  // namespace
}  // namespace gate::judge::finite_test
