// One rule on one series: status, numbers and words of the check.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto pass = CheckStatus::pass;
constexpr auto fail = CheckStatus::fail;
constexpr auto missing = CheckStatus::missing;
constexpr auto incomparable = CheckStatus::incomparable;

TEST(Each, WithinTheTolerance) {
  const Check check =
      checked(rule("lm_loss", "±0.01"), "lm_loss 1:10.50 2:10.40 3:10.30", "lm_loss 1:10.50 2:10.41 3:10.29");
  EXPECT_EQ(check.status, pass);
  EXPECT_EQ(check.compared, 3);
  EXPECT_EQ(check.misses, 0);
  EXPECT_FALSE(check.first_miss);
  EXPECT_EQ(check.rule, "lm_loss");
  EXPECT_EQ(check.numbered, "step");
  EXPECT_EQ(check.window, "all");
  EXPECT_EQ(check.steps, "1-3");
  EXPECT_EQ(check.reduce, "each");
  EXPECT_EQ(check.tolerance, "±0.01");
  EXPECT_EQ(check.baseline_file, "baselines/case.json");
  EXPECT_EQ(check.note, "within ±0.01, no longer bit-equal from step 2");
}

TEST(Each, ReportsTheFirstAndTheLargestMiss) {
  const Check check = checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.046010E+01 2:1.040000E+01 3:10.3 4:10.2",
                              "lm_loss 1:1.046010E+01 2:1.041104E+01 3:10.2 4:10.25");
  EXPECT_EQ(check.status, fail);
  EXPECT_EQ(check.misses, 3);
  ASSERT_TRUE(check.first_miss);
  EXPECT_EQ(check.first_miss->number, 2);
  EXPECT_EQ(check.first_miss->baseline, "10.40000");
  EXPECT_EQ(check.first_miss->actual, "10.41104");
  EXPECT_EQ(check.first_miss->delta, "+0.01104");
  EXPECT_EQ(check.first_miss->file, "train.log");
  EXPECT_EQ(check.first_miss->line, 102U);
  ASSERT_TRUE(check.largest);
  EXPECT_EQ(check.largest->number, 3);
  EXPECT_EQ(check.baseline, "10.3");
  EXPECT_EQ(check.actual, "10.2");
  EXPECT_EQ(check.delta, "-0.1");
  EXPECT_EQ(check.delta_percent, "-0.971 %");
  EXPECT_EQ(check.limit, "10.29..10.31");
  EXPECT_EQ(check.margin, "-0.09");
}

TEST(Each, StepsAreMatchedByTheirNumbersNotByPosition) {
  const char* reference = "lm_loss 10:1.0 20:2.0 30:3.0";
  EXPECT_EQ(checked(rule("lm_loss", "exact"), reference, "lm_loss 5:9.0 10:1.0 20:2.0 25:9.0 30:3.0").status,
            pass);
  EXPECT_EQ(checked(rule("lm_loss", "exact"), reference, "lm_loss 1:1.0 2:2.0 3:3.0").status, missing);
}

TEST(Each, OneSidedTolerancesStopOneSide) {
  const Rule upper = rule("memory_allocated", "+10%");
  EXPECT_EQ(checked(upper, "memory_allocated/0 1:100.0", "memory_allocated/0 1:110.0").status, pass);
  EXPECT_EQ(checked(upper, "memory_allocated/0 1:100.0", "memory_allocated/0 1:110.1").status, fail);
  EXPECT_EQ(checked(upper, "memory_allocated/0 1:100.0", "memory_allocated/0 1:1.0").status, pass);
}

TEST(Each, TheLargestDeviationIsOnTheBoundedSide) {
  const Check check = checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:100.0 2:100.0 3:100.0",
                              "memory_allocated/0 1:50.0 2:111.0 3:112.0");
  EXPECT_EQ(check.first_miss->number, 2);
  EXPECT_EQ(check.largest->number, 3);
  EXPECT_EQ(check.limit, "110.0");
  EXPECT_EQ(check.margin, "-2.0");
}

TEST(Each, MissesMayBeAllowed) {
  Rule two = rule("lm_loss", "±0.1");
  two.max_misses = 2;
  const Check check = checked(two, "lm_loss 1:1.0 2:1.0 3:1.0", "lm_loss 1:1.5 2:1.0 3:1.5");
  EXPECT_EQ(check.status, pass);
  EXPECT_THAT(check.note, HasSubstr("2 of 3 out of bounds, 2 allowed, first at step 1"));
  EXPECT_EQ(checked(two, "lm_loss 1:1.0 2:1.0 3:1.0", "lm_loss 1:1.5 2:1.5 3:1.5").status, fail);
  EXPECT_EQ(checked(two, "lm_loss 1:1.0 2:1.0 3:1.0", "lm_loss 1:1.0 2:nan 3:1.0").status, fail)
      << "never for NaN";
  EXPECT_EQ(checked(two, "lm_loss 1:1.0 2:1.0 3:1.0", "lm_loss 1:1.0 3:1.0").status, missing)
      << "nor for a gap";
}

TEST(Each, BitEqualIsSaid) {
  EXPECT_EQ(checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.50 2:2.0", "lm_loss 1:1.5E+00 2:2.0").note,
            "bit-equal");
  EXPECT_THAT(
      checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.50 2:2.0 3:3.0", "lm_loss 1:1.51 2:2.0 3:4.0").note,
      HasSubstr("no longer bit-equal from step 1"));
}

TEST(Reduced, AMeanIsComparedOverTheWindow) {
  const Check check = checked(rule("throughput", "-5%", "last 2", "mean"),
                              "throughput 1:10.0 2:100.0 3:101.0", "throughput 1:99.0 2:95.0 3:95.9");
  EXPECT_EQ(check.status, fail);
  EXPECT_EQ(check.steps, "2, 3");
  EXPECT_EQ(check.baseline, "100.5");
  EXPECT_EQ(check.actual, "95.45");
  EXPECT_EQ(check.delta, "-5.05");
  EXPECT_EQ(check.delta_percent, "-5.02 %");
  EXPECT_EQ(check.limit, "95.475");
  EXPECT_EQ(check.margin, "-0.025");
  EXPECT_FALSE(check.first_miss);
  EXPECT_EQ(checked(rule("throughput", "-5%", "last 2", "mean"), "throughput 1:10.0 2:100.0 3:101.0",
                    "throughput 1:9.0 2:95.0 3:95.95")
                .status,
            pass)
      << "on the boundary";
}

TEST(Reduced, NeverOverFewerSteps) {
  const Check check = checked(rule("throughput", "-5%", "last 2", "mean"), "throughput 1:1.0 2:100.0 3:101.0",
                              "throughput 1:99.0 2:150.0");
  EXPECT_EQ(check.status, missing);
  EXPECT_EQ(check.actual, "");
  EXPECT_EQ(check.baseline, "100.5");
  EXPECT_THAT(check.note, HasSubstr("missing step 3 of 3"));
}

TEST(Reduced, BothSidesTheSameWay) {
  const char* reference = "iteration_time 1:90.0 2:10.0 3:20.0 4:90.0";
  const char* log = "iteration_time 1:10.0 2:20.0 3:30.0 4:80.0";
  EXPECT_EQ(checked(rule("iteration_time", "+5%", "2..4", "median"), reference, log).actual, "30.0");
  EXPECT_EQ(checked(rule("iteration_time", "+5%", "2..4", "max"), reference, log).baseline, "90.0");
  EXPECT_EQ(checked(rule("iteration_time", "+5%", "2..4", "min"), reference, log).delta_percent, "+100 %");
  EXPECT_EQ(checked(rule("iteration_time", "+5%", "all", "last"), reference, log).status, pass);
  EXPECT_EQ(checked(rule("iteration_time", "+5%", "2..4", "harmonic_mean"), reference,
                    "iteration_time 1:10.0 2:10.0 3:20.0 4:90.0")
                .status,
            pass);
}

TEST(Reduced, AStallIsToldFromASlowRun) {
  const std::string reference = flat("iteration_time", 1, 11, "100.0");
  const Rule mean = rule("iteration_time", "+5%", "last 10", "mean");
  EXPECT_THAT(
      checked(mean, reference,
              "iteration_time 1:100.0 2:100.0 3:400.0 4:100.0 5:100.0 6:100.0 7:500.0 8:100.0 9:100.0 "
              "10:100.0 11:100.0")
          .note,
      AllOf(HasSubstr("a stall"), HasSubstr("slow at steps 3 and 7")));
  EXPECT_THAT(checked(mean, reference, flat("iteration_time", 1, 11, "108.5")).note,
              HasSubstr("median +8.5 %, no stall"));
  EXPECT_THAT(checked(mean, reference, reference).note, Not(HasSubstr("median")));
}

TEST(NotANumber, FailsAtAnyStep) {
  const std::string reference = flat("lm_loss", 1, 5, "1.00");
  for (const char* odd : {"nan", "inf", "-inf", "-"}) {
    for (const int at : {1, 3, 5, 7}) {
      std::string log = flat("lm_loss", 1, 8, "1.00");
      log.replace(log.find(std::to_string(at) + ":") + 2, 4, odd);
      const Check check = checked(rule("lm_loss", "±0.01", "first 2"), reference, log);
      EXPECT_EQ(check.status, fail) << odd << " at " << at;
      EXPECT_EQ(check.first_miss->number, at);
      EXPECT_EQ(check.first_miss->line, 100U + static_cast<unsigned>(at));
      EXPECT_THAT(check.note, HasSubstr("step " + std::to_string(at))) << odd;
    }
  }
}

TEST(NotANumber, InfinityOnBothSidesDoesNotPass) {
  for (const char* odd : {"inf", "-inf", "nan"}) {
    const std::string text = std::string("lm_loss 1:1.00 2:") + odd + " 3:1.00";
    EXPECT_EQ(checked(rule("lm_loss", "±0.01"), text, text).status, fail);
    EXPECT_EQ(checked(rule("lm_loss", "exact"), text, text).status, fail);
    EXPECT_EQ(checked(rule("lm_loss", "+5%", "all", "mean"), text, text).status, fail);
  }
}

TEST(NotANumber, InTheBaselineIsIncomparable) {
  const Check check = checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.00 2:nan", "lm_loss 1:1.00 2:1.00");
  EXPECT_EQ(check.status, incomparable);
  EXPECT_EQ(check.note, "the baseline has nan at step 2");
  EXPECT_EQ(
      checked(rule("lm_loss", "±0.01", "first 1"), "lm_loss 1:1.00 2:nan", "lm_loss 1:1.00 2:1.00").status,
      pass);
}

TEST(NotANumber, WhatTheBaselineLeftOutIsNotRecorded) {
  const Check check = checked(rule("lm_loss", "±0.01", "first 2"), "lm_loss 1:- 2:1.00 3:1.00",
                              "lm_loss 1:5.00 2:1.00 3:1.00");
  EXPECT_EQ(check.status, pass);
  EXPECT_EQ(check.steps, "2, 3");
  EXPECT_THAT(check.note, HasSubstr("step 1 not judged"));
}

TEST(NotANumber, TheCauseIsNamed) {
  const Judgement judgement = judged({rule("lm_loss", "±0.01")}, "lm_loss 1:1.00 2:1.00 3:1.00",
                                     "lm_loss 1:- 2:- 3:1.00\ngrad_norm 1:nan 2:0.000 3:0.000");
  EXPECT_EQ(judgement.checks[0].note, "steps 1 and 2: no lm loss printed; grad norm nan at step 1");
  EXPECT_EQ(judgement.reason, "lm_loss steps 1 and 2: no lm loss printed; grad norm nan at step 1");
  EXPECT_THAT(judged({rule("lm_loss", "±0.01")}, "lm_loss 1:1.00 2:1.00",
                     "lm_loss 1:- 2:1.00\nskipped_iterations 1:1 2:0")
                  .reason,
              HasSubstr("step 1 skipped by the framework"));
}

TEST(NotANumber, ComesBeforeAndAfterOtherMisses) {
  const Check check =
      checked(rule("lm_loss", "±0.01"), flat("lm_loss", 1, 4, "1.00"), "lm_loss 1:1.00 2:2.00 3:nan 4:1.00");
  EXPECT_EQ(check.first_miss->number, 2);
  EXPECT_EQ(check.misses, 2);
}

TEST(Missing, AnyStepOfTheBaselineIsNamed) {
  const Rule first = rule("lm_loss", "±0.01", "first 3");
  EXPECT_EQ(checked(first, flat("lm_loss", 1, 15, "1.00"), flat("lm_loss", 1, 9, "1.00")).note,
            "missing steps 10-15 of 15")
      << "outside the window too";
}

TEST(Missing, AFailureIsNotHiddenByAGap) {
  const Check check =
      checked(rule("lm_loss", "±0.01"), flat("lm_loss", 1, 9, "1.00"), "lm_loss 1:1.00 2:2.00 3:1.00");
  EXPECT_EQ(check.status, fail);
  EXPECT_THAT(check.note, HasSubstr("missing steps 4-9 of 9"));
}

TEST(Missing, ASeriesOrRank) {
  const Judgement judgement =
      judged(built_in_rules(), "lm_loss 1:1.00\nmemory_allocated/0 1:5.00\nmemory_allocated/1 1:5.00",
             "lm_loss 1:1.00\nmemory_allocated/0 1:5.00");
  ASSERT_EQ(judgement.checks.size(), 3U);
  EXPECT_EQ(judgement.checks[2].status, missing);
  EXPECT_EQ(judgement.checks[2].note, "not in the run");
  EXPECT_EQ(judgement.verdict, Verdict::incomplete);
  EXPECT_EQ(judgement.reason, "memory_allocated rank 1: not in the run");
}

TEST(Missing, AReport) {
  const Check check = checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:5.00 2:6.00",
                              "memory_allocated/0 1:5.00");
  EXPECT_EQ(check.status, missing);
  EXPECT_EQ(check.numbered, "report");
  EXPECT_EQ(check.note, "missing report 2 of 2");
}

TEST(Beyond, IsSaidAndNotJudged) {
  const Judgement judgement = judged(
      built_in_rules(),
      flat("lm_loss", 1, 15, "1.00") + "\nmemory_allocated/0 1:5.00\nmemory_allocated/1 1:5.00",
      flat("lm_loss", 1, 20, "1.00") +
          "\nmemory_allocated/0 1:5.00 2:9.00\nmemory_allocated/1 1:5.00 2:9.00\nmemory_allocated/2 1:5.00");
  EXPECT_EQ(judgement.verdict, Verdict::passed);
  EXPECT_THAT(judgement.notes, ElementsAre("lm_loss: bit-equal", "lm_loss: steps 16-20 not judged",
                                           "memory_allocated ranks 0 and 1: report 2 not judged"));
  ASSERT_EQ(judgement.ungated.size(), 6U);
  EXPECT_EQ(judgement.ungated[0].metric, "memory_allocated");
  EXPECT_EQ(judgement.ungated[0].reason, "rank 2 not in the baseline");
}

TEST(Beyond, ARankThatTheBaselineLacksStillFailsOnNaN) {
  const Judgement judgement = judged({rule("memory_allocated", "+10%")}, "memory_allocated/0 1:5.00",
                                     "memory_allocated/0 1:5.00\nmemory_allocated/1 1:nan");
  EXPECT_EQ(judgement.verdict, Verdict::regressed);
  EXPECT_EQ(judgement.reason, "memory_allocated rank 1 report 1: nan");
}

TEST(Incomparable, ToleranceFinerThanThePrint) {
  const Check check =
      checked(rule("iteration_time", "±0.01"), "iteration_time 1:1.5", "iteration_time 1:1.5");
  EXPECT_EQ(check.status, incomparable);
  EXPECT_EQ(check.note, "prints 1 decimal; ±0.01 cannot be tested");
  EXPECT_EQ(checked(rule("iteration_time", "±0.01"), "iteration_time 1:15", "iteration_time 1:15").note,
            "prints whole numbers; ±0.01 cannot be tested");
  EXPECT_EQ(checked(rule("iteration_time", "±0.01"), "iteration_time 1:1.5", "iteration_time 1:1.50").status,
            pass)
      << "the finest decimal of both sides counts";
  EXPECT_EQ(checked(rule("lm_loss", "±1%"), "lm_loss 1:0.5", "lm_loss 1:0.5").status, incomparable);
  EXPECT_EQ(checked(rule("lm_loss", "exact"), "lm_loss 1:5", "lm_loss 1:5").status, pass);
  EXPECT_EQ(checked(rule("lm_loss", "±1% or ±1"), "lm_loss 1:0.5", "lm_loss 1:0.5").status, pass);
  EXPECT_EQ(checked(rule("lm_loss", "±0.01 and <= 9"), "lm_loss 1:5", "lm_loss 1:5").status, incomparable);
}

TEST(Incomparable, ConflictingDuplicates) {
  const Check check = checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.00 2:1.00", "lm_loss 1:1.00 2!1.00");
  EXPECT_EQ(check.status, incomparable);
  EXPECT_THAT(check.note, AllOf(HasSubstr("different values for step 2"), HasSubstr("pick")));
  EXPECT_EQ(checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.00 2!1.00", "lm_loss 1:1.00 2:1.00").status,
            incomparable);
  EXPECT_EQ(checked(rule("lm_loss", "±0.01"), "lm_loss 1:1.00", "lm_loss 1:1.00 2!1.00").status, pass)
      << "not judged";
}

TEST(Incomparable, AnEmptyWindow) {
  EXPECT_EQ(
      checked(rule("lm_loss", "±0.01", "step 9"), "lm_loss 1:1.00 2:1.00", "lm_loss 1:1.00 2:1.00").note,
      "the window \"step 9\" selects nothing of the baseline's steps 1 and 2");
  EXPECT_EQ(checked(rule("lm_loss", "±0.01", "last 5"), "lm_loss 1:1.00", "lm_loss 1:1.00").status,
            incomparable);
  EXPECT_EQ(checked(rule("lm_loss", "±0.01"), "lm_loss 1:-", "lm_loss 1:1.00").note,
            "the baseline holds no value; step 1 not judged");
}

TEST(Incomparable, AnotherUnit) {
  Ask ask;
  ask.rules = {rule("memory_allocated", "+10%")};
  ask.reference = baseline("memory_allocated/0 1:5.00");
  Series gib("memory_allocated", 0, "GiB", Numbering::report);
  gib.append(sample(1, "5.0"));
  ask.log.series = {gib};
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.checks[0].status, incomparable);
  EXPECT_EQ(judgement.checks[0].note, "the unit is GiB, of the baseline MiB");
  EXPECT_EQ(judgement.verdict, Verdict::unjudged);
}

TEST(Note, AMoveInTheGoodDirection) {
  const Judgement judgement = judged({rule("throughput", "-5%", "last 1", "mean")},
                                     "throughput 1:1.00 2:134.17", "throughput 1:1.00 2:349.41");
  EXPECT_EQ(judgement.verdict, Verdict::passed);
  EXPECT_THAT(judgement.notes,
              ElementsAre("throughput: 349.41 against 134.17, 2.6 times the baseline: re-record?"));
  EXPECT_THAT(
      checked(rule("iteration_time", "+5%", "all", "mean"), "iteration_time 1:100.0", "iteration_time 1:94.9")
          .note,
      HasSubstr("94.9 against 100.0, 5.1 % below the baseline: re-record?"));
  EXPECT_EQ(
      checked(rule("iteration_time", "+5%", "all", "mean"), "iteration_time 1:100.0", "iteration_time 1:95.0")
          .note,
      "");
  EXPECT_EQ(checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:100.0 2:100.0",
                    "memory_allocated/0 1:99.0 2:80.0")
                .note,
            "report 2: 80.0 against 100.0, 20 % below the baseline: re-record?");
}

TEST(Note, APercentageOfZero) {
  const Check check =
      checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:0.00", "memory_allocated/0 1:0.00");
  EXPECT_EQ(check.status, pass);
  EXPECT_THAT(check.note, HasSubstr("the baseline is 0 at report 1, and so is a percentage of it"));
  EXPECT_EQ(check.delta_percent, "");
  EXPECT_EQ(checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:0.00", "memory_allocated/0 1:0.1")
                .status,
            fail);
}

TEST(Note, AssumedStepsAreSaidInEveryFailure) {
  Ask ask;
  ask.rules = {rule("lm_loss", "±0.01")};
  ask.reference = baseline("lm_loss 1:1.00 2:1.00");
  ask.reference.series[0].runs[0].set_assumed(true);
  ask.log = run("lm_loss 1:1.00 2:2.00");
  EXPECT_THAT(ask.judge().checks[0].note, HasSubstr("assumed"));
  ask.log = run("lm_loss 1:1.00 2:1.00");
  EXPECT_THAT(ask.judge().checks[0].note, Not(HasSubstr("assumed")));
}

TEST(Waiver, HoldsToItsLastDay) {
  Ask ask;
  ask.rules = {rule("lm_loss", "±0.01")};
  ask.rules[0].waive = Waiver{"issue 71", "2026-06-15"};
  ask.reference = baseline("lm_loss 1:1.00");
  ask.log = run("lm_loss 1:2.00");
  EXPECT_EQ(ask.judge().checks[0].status, CheckStatus::waived);
  EXPECT_THAT(ask.judge().checks[0].note, HasSubstr("waived until 2026-06-15: issue 71"));
  EXPECT_EQ(ask.judge().verdict, Verdict::passed);
  EXPECT_EQ(ask.judge().reason, "0 checks passed, 1 waived");
  ask.today = "2026-06-16";
  EXPECT_EQ(ask.judge().verdict, Verdict::regressed);
  EXPECT_THAT(ask.judge().checks[0].note, HasSubstr("its waiver expired on 2026-06-15: issue 71"));
}

TEST(Waiver, IsForFailuresOnly) {
  Ask ask;
  ask.rules = {rule("lm_loss", "±0.01")};
  ask.rules[0].waive = Waiver{"issue 71", "2026-12-31"};
  ask.reference = baseline("lm_loss 1:1.00 2:1.00");
  ask.log = run("lm_loss 1:1.00");
  EXPECT_EQ(ask.judge().verdict, Verdict::incomplete);
}

TEST(Ranks, CombinedPerStepFirst) {
  Rule slowest = rule("iteration_time", "+5%", "all", "mean");
  slowest.rank = RankMode::max;
  const char* reference = "iteration_time/0 1:100.0 2:100.0\niteration_time/1 1:90.0 2:110.0";
  const Check check =
      checked(slowest, reference, "iteration_time/0 1:120.0 2:100.0\niteration_time/1 1:90.0 2:101.0");
  EXPECT_EQ(check.baseline, "105.0");
  EXPECT_EQ(check.actual, "110.5");
  EXPECT_EQ(check.status, fail);
  EXPECT_FALSE(check.rank);
  Rule average = rule("iteration_time", "+5%");
  average.rank = RankMode::mean;
  EXPECT_EQ(checked(average, reference, "iteration_time/0 1:99.5 2:110.5\niteration_time/1 1:100.0 2:110.0")
                .first_miss,
            std::nullopt);
  EXPECT_EQ(
      checked(average, reference, "iteration_time/0 1:99.6 2:110.5\niteration_time/1 1:100.0 2:110.0").status,
      fail);
}

TEST(Ranks, CombinedNeedTheSameSet) {
  Rule slowest = rule("iteration_time", "+5%");
  slowest.rank = RankMode::min;
  const char* reference = "iteration_time/0 1:1.00\niteration_time/1 1:2.00";
  EXPECT_EQ(checked(slowest, reference, "iteration_time/0 1:1.00").note, "rank 1 not in the run");
  EXPECT_EQ(
      checked(slowest, reference, "iteration_time/0 1:1.00\niteration_time/1 1:2.00\niteration_time/7 1:2.00")
          .note,
      "rank 7 not in the baseline: the rank sets must be equal");
  EXPECT_EQ(checked(slowest, reference, "iteration_time/0 1:1.00\niteration_time/1 1:nan").status, fail);
}

Reference several(const std::vector<const char*>& runs) {
  Baseline all;
  for (const char* one : runs) all.runs.push_back({{}, all_series(one)});
  return make_reference(all, "b.json");
}

Check against(const Rule& rule, const std::vector<const char*>& runs, const char* log) {
  Ask ask;
  ask.rules = {rule};
  ask.reference = several(runs);
  ask.log = run(log);
  return ask.judge().checks.at(0);
}

TEST(SeveralRuns, MakeOneReference) {
  const std::vector<const char*> runs{"lm_loss 1:1.00 2:2.00", "lm_loss 1:1.10 2:2.10"};
  EXPECT_EQ(against(rule("lm_loss", "±0.05"), runs, "lm_loss 1:1.10 2:2.00").status, pass);
  EXPECT_EQ(against(rule("lm_loss", "±0.05"), runs, "lm_loss 1:1.11 2:2.00").first_miss->baseline, "1.05");
  EXPECT_EQ(against(rule("lm_loss", "±0.05", "all", "mean"), runs, "lm_loss 1:1.10 2:2.10").status, pass);
  EXPECT_EQ(against(rule("lm_loss", "±0.05", "all", "mean"), runs, "lm_loss 1:1.10 2:2.12").limit,
            "1.50..1.60");
}

TEST(SeveralRuns, ExactMeansOneAndTheSameRun) {
  const std::vector<const char*> runs{"lm_loss 1:1.00 2:2.00", "lm_loss 1:1.10 2:2.10"};
  EXPECT_EQ(against(rule("lm_loss", "exact"), runs, "lm_loss 1:1.10 2:2.10").status, pass);
  EXPECT_EQ(against(rule("lm_loss", "exact"), runs, "lm_loss 1:1.00 2:2.10").status, fail);
  EXPECT_EQ(against(rule("lm_loss", "exact"), runs, "lm_loss 1:1.00 2:2.10").first_miss->number, 2);
}

TEST(SeveralRuns, MustHoldTheSameSteps) {
  EXPECT_EQ(against(rule("lm_loss", "±0.05", "all", "mean"), {"lm_loss 1:1.00 2:2.00", "lm_loss 1:1.10"},
                    "lm_loss 1:1.00 2:2.00")
                .status,
            incomparable);
}

TEST(Constants, NeedNoBaseline) {
  const Rule rule = testing::rule("grad_norm", "<= 5");
  EXPECT_EQ(checked(rule, "", "grad_norm 1:4.9 2:5.00").status, pass);
  const Check check = checked(rule, "", "grad_norm 1:4.9 2:5.01 3:7");
  EXPECT_EQ(check.status, fail);
  EXPECT_EQ(check.first_miss->number, 2);
  EXPECT_EQ(check.first_miss->baseline, "");
  EXPECT_EQ(check.actual, "7");
  EXPECT_EQ(check.limit, "5");
  EXPECT_EQ(check.margin, "-2");
  EXPECT_EQ(checked(rule, "", "lm_loss 1:1.00").note, "not in the run");
  EXPECT_EQ(checked(rule, "", "lm_loss 1:1.00").status, missing);
  EXPECT_EQ(checked(rule, "", "grad_norm 1:1.00 2:nan").status, fail);
}

TEST(Constants, OfEveryRankOrOfAllTogether) {
  Rule rule = testing::rule("memory_allocated", "<= 100");
  EXPECT_EQ(judged({rule}, "", "memory_allocated/0 1:99\nmemory_allocated/1 1:101").checks.size(), 2U);
  rule.rank = RankMode::max;
  EXPECT_EQ(checked(rule, "", "memory_allocated/0 1:99\nmemory_allocated/1 1:101").actual, "101");
}

TEST(Constants, WithABaselineMustHaveItsSteps) {
  const Rule rule = testing::rule("grad_norm", "<= 5", "first 1");
  EXPECT_EQ(checked(rule, "grad_norm 1:9 2:9", "grad_norm 1:1").status, missing);
  EXPECT_EQ(checked(rule, "grad_norm 1:9 2:9", "grad_norm 1:1 2:9").status, pass)
      << "step 2 is outside of the window";
}

TEST(ByTime, AllSamplesOfEachSideAreReduced) {
  Ask ask;
  Metric power{"power", "W", MetricKind::other, Better::none, Numbering::time, Pick::none, ""};
  ask.metrics.put(power);
  Series before("power", {}, "W", Numbering::time), now("power", {}, "W", Numbering::time);
  for (int i = 0; i < 4; ++i) before.append(sample(1000 * i, "300"));
  for (int i = 0; i < 9; ++i) now.append(sample(700 * i + 3, i == 0 ? "309" : "300"));
  Baseline recorded;
  recorded.runs.push_back({{}, {before}});
  ask.reference = make_reference(recorded, "b.json");
  ask.log.series = {now};
  ask.rules = {rule("power", "±1", "all", "mean"), rule("power", "<= 305"), rule("power", "±1")};
  const Judgement judgement = ask.judge();
  EXPECT_EQ(judgement.checks[0].status, pass);
  EXPECT_EQ(judgement.checks[0].actual, "301");
  EXPECT_EQ(judgement.checks[1].status, fail);
  EXPECT_EQ(judgement.checks[1].misses, 1);
  EXPECT_EQ(judgement.checks[2].status, incomparable);
}

}  // namespace
}  // namespace gate::judge::testing
