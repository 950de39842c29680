// What selftest does to a reference under the judge as it is.
#include <gmock/gmock.h>

#include <set>

#include "guarded.h"

namespace gate::judge::testing::selftest_test {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(Selftest, NothingSurvivesTheUsualRules) {
  const std::vector<Tried> results = Guarded().tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_EQ(results.size(), mutations().size() * 6);
}

TEST(Selftest, EveryMutationIsDoneToSomething) {
  std::set<std::string_view> done;
  for (const Tried& tried : Guarded().tested())
    if (tried.proof == Proof::held) done.insert(tried.mutation->name);
  EXPECT_EQ(done.size(), mutations().size());
}

struct Shape {
  std::string tolerance, window, reduce;
};

TEST(Selftest, NothingSurvivesAnyShapeOfRule) {
  for (const Shape& shape : std::vector<Shape>{{"-5%", "last 10", "median"},
                                               {"-5%", "last 10", "harmonic_mean"},
                                               {"-5%", "3..19", "trimmed_mean"},
                                               {"-5%", "after 5", "p90"},
                                               {"-5%", "all", "min"},
                                               {"±3", "first 7", "max"},
                                               {"-2%", "step 20", "last"},
                                               {"<= 2%", "after 5", "mean_relative_error"},
                                               {"<= 0.3%", "last 4", "mean_relative_error"},
                                               {"exact", "all", "each"},
                                               {"exact", "last 3", "mean"},
                                               {">= 100", "all", "each"},
                                               {">= 100 and -50%", "last 10", "mean"},
                                               {"> 100", "all", "each"},
                                               {"> 100 and -50%", "last 10", "mean"},
                                               {"> 100 and != 7", "all", "min"},
                                               {"-0.5 or -1%", "all", "each"}}) {
    Guarded guarded;
    guarded.rules = {rule("throughput", shape.tolerance, shape.window, shape.reduce)};
    const std::vector<Tried> results = guarded.tested();
    EXPECT_THAT(survivors(results), IsEmpty()) << shape.tolerance << shape.reduce << all_texts(results);
  }
}

TEST(Selftest, MissesThatAreAllowedAreUsedUpFirst) {
  Guarded guarded;
  guarded.rules = {rule("lm_loss", "±0.02", "first 15")};
  guarded.rules.front().max_misses = 3;
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_THAT(text_of(results, "beyond_first", "lm_loss"), ::testing::HasSubstr("4 of 15"));
}

TEST(Selftest, RanksThatAreCombinedMoveTogether) {
  for (const RankMode mode : {RankMode::max, RankMode::min, RankMode::mean}) {
    Guarded guarded;
    guarded.rules = {rule("memory_allocated", "+10%")};
    guarded.rules.front().rank = mode;
    const std::vector<Tried> results = guarded.tested();
    EXPECT_THAT(survivors(results), IsEmpty()) << to_string(mode) << all_texts(results);
  }
}

TEST(Selftest, AConstantWithoutABaselineIsTriedOnAMadeUpRun) {
  Guarded guarded;
  guarded.rules = {rule("final_accuracy", ">= 0.75")};
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_EQ(text_of(results, "missing_inside", "final_accuracy"),
            "n/a: only constants: nothing says which steps there must be");
}

TEST(Selftest, ConstantsWithoutTheirEdgeAreTried) {
  for (const char* tolerance : {"> 0.75", "< 5", "!= 5", "> 1 and < 2", "> 1 and <= 2", ">= 1 and < 2"}) {
    Guarded guarded;
    guarded.rules = {rule("nobody_knows", tolerance)};
    const std::vector<Tried> results = guarded.tested();
    EXPECT_THAT(survivors(results), IsEmpty()) << tolerance << "\n" << all_texts(results);
    EXPECT_THAT(text_of(results, "beyond_all", "nobody_knows"), ::testing::HasSubstr("caught")) << tolerance;
  }
}

TEST(Selftest, AWaiverDoesNotHideAnything) {
  Guarded guarded;
  guarded.rules.front().waive = Waiver{"known", "2999-01-01"};
  EXPECT_THAT(survivors(guarded.tested()), IsEmpty());
}

TEST(Selftest, OfSeveralRunsTheOneThatPassesIsDamaged) {
  Guarded guarded;
  Baseline noisy;
  for (const char* const run :
       {"throughput 1:100.0 2:120.0", "throughput 1:100.0 2:111.0", "throughput 1:100.0 2:99.0"})
    noisy.runs.push_back({{}, all_series(run)});
  guarded.reference = make_reference(noisy, "b.json");
  guarded.rules = {rule("throughput", "-5%", "step 2")};
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_THAT(text_of(results, "beyond_first", "throughput"), ::testing::HasSubstr("104.4"));
}

TEST(Selftest, AReferenceThatDoesNotPassItselfIsSaid) {
  Guarded guarded;
  guarded.reference = baseline("lm_loss 1:10.5 2:nan 3:10.4");
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), ::testing::ElementsAre("reference lm_loss"));
  EXPECT_EQ(text_of(results, "reference", "lm_loss"), "REFUSED: regressed, lm_loss step 2: nan");
  EXPECT_EQ(text_of(results, "beyond_first", "lm_loss"), "n/a: the reference does not pass");
}

TEST(Selftest, ARuleThatBoundsTheGoodSideOnlySurvives) {
  Guarded guarded;
  guarded.rules = {rule("throughput", "+5%", "last 10", "mean")};
  EXPECT_THAT(survivors(guarded.tested()),
              ::testing::IsSupersetOf({"beyond_all throughput", "bad_attempt_last throughput"}));
}

// --- faults as they happen ---------------------------------------------------------------------------

TEST(Selftest, AStepFarOffAndAllALittleOffAreNoticed) {
  const std::vector<Tried> results = Guarded().tested();
  EXPECT_THAT(text_of(results, "tenfold", "lm_loss"), StartsWith("caught: step 8: 9.60 -> 96.00: regressed"));
  EXPECT_THAT(text_of(results, "tenfold", "throughput"),
              StartsWith("caught: step 16: 159.80 -> 15.98: regressed"));
  EXPECT_THAT(text_of(results, "four_percent", "lm_loss"),
              StartsWith("caught: step 1: 10.35 -> 9.936, and 19 more like it: regressed"));
}

TEST(Selftest, WhatTheRuleAllowsIsNoFault) {
  const std::vector<Tried> results = Guarded().tested();
  EXPECT_EQ(text_of(results, "four_percent", "throughput"), "n/a: every value is 0, or the rule allows 4 %");
  Guarded guarded;
  guarded.rules = {rule("throughput", "-5%", "last 10", "median")};
  EXPECT_EQ(text_of(guarded.tested(), "tenfold", "throughput"),
            "n/a: the value is 0, or the rule allows as much at one step");
  guarded.reference = baseline("lm_loss 1:0.00 2:0.00 3:0.00");
  guarded.rules = {rule("lm_loss", "±0.02")};
  EXPECT_EQ(text_of(guarded.tested(), "tenfold", "lm_loss"),
            "n/a: the value is 0, or the rule allows as much at one step");
  EXPECT_EQ(text_of(guarded.tested(), "four_percent", "lm_loss"),
            "n/a: every value is 0, or the rule allows 4 %");
}

// --- another profile ----------------------------------------------------------------------------------

// A tool that knows but the loss, all of it, and forgives nothing.
Judgement exact_loss(const JudgeInput& input) {
  std::vector<Rule> rules{rule("lm_loss", "exact")};
  rules.front().name = "tool";
  Judgement judgement = judge({.rules = rules,
                               .metrics = input.metrics,
                               .reference = input.reference,
                               .run = input.run,
                               .outcome = input.outcome,
                               .platform = "",
                               .steps = std::nullopt,
                               .today = ""});
  judgement.reason += " by " + input.profile.name;
  return judgement;
}

TEST(Selftest, OfAnotherProfileTheVerdictCounts) {
  Guarded guarded;
  guarded.profile.name = "megatron";
  const std::vector<Tried> results = guarded.tested(exact_loss);
  EXPECT_THAT(text_of(results, "reference", "lm_loss"), StartsWith("passed: passed, "));
  EXPECT_THAT(text_of(results, "beyond_first", "lm_loss"), ::testing::EndsWith(" by megatron"));
  EXPECT_THAT(text_of(results, "beyond_first", "lm_loss"), StartsWith("caught: "));
  EXPECT_THAT(survivors(results), ::testing::IsSupersetOf({"tenfold throughput", "beyond_all throughput",
                                                           "missing_rank memory_allocated"}));
}

TEST(Selftest, AStricterProfileIsNoSurvivor) {
  Guarded guarded;
  guarded.profile.name = "megatron";
  const std::vector<Tried> results = guarded.tested(exact_loss);
  EXPECT_THAT(text_of(results, "on_limit", "lm_loss"), StartsWith("stricter: step 1: 10.35 -> "));
  EXPECT_THAT(survivors(results), ::testing::Not(Contains("on_limit lm_loss")));
  guarded.profile.name = "gate";
  EXPECT_THAT(survivors(guarded.tested(exact_loss)), Contains("reference lm_loss")) << "no check of its rule";
}

TEST(Selftest, AProfileThatRefusesTheReferenceIsSaid) {
  Guarded guarded;
  guarded.profile.name = "megatron";
  const std::vector<Tried> results = guarded.tested([](const JudgeInput&) { return Judgement{}; });
  EXPECT_THAT(text_of(results, "reference", "lm_loss"), StartsWith("REFUSED: unjudged"));
  EXPECT_EQ(text_of(results, "tenfold", "lm_loss"), "n/a: the reference does not pass");
}

// --- what it says -----------------------------------------------------------------------------------

TEST(Selftest, SaysWhatWasDone) {
  const std::vector<Tried> results = Guarded().tested();
  const auto says = [&](std::string_view mutation, std::string_view rule) {
    return text_of(results, mutation, rule);
  };
  EXPECT_THAT(says("on_limit", "lm_loss"),
              StartsWith("passed: step 1: 10.35 -> 10.34, and 14 more like it: passed"));
  EXPECT_THAT(says("beyond_last", "lm_loss"), StartsWith("caught: step 15: 9.00 -> 8.98: regressed"));
  EXPECT_THAT(says("beyond_first", "throughput"), StartsWith("caught: step 11: 154.40 -> "));
  EXPECT_THAT(says("shifted", "lm_loss"), StartsWith("caught: every value moved by one step: regressed"));
  EXPECT_EQ(says("shifted", "throughput"), "n/a: neighbours differ by less than the rule allows");
  EXPECT_THAT(says("bad_attempt_last", "lm_loss"), StartsWith("caught: last attempt: step 1: "));
  EXPECT_THAT(says("good_attempt_last", "lm_loss"), StartsWith("passed: first attempt: step 1: "));
  EXPECT_THAT(says("inf_both", "lm_loss"), StartsWith("caught: step 8: inf on both sides: regressed"));
  EXPECT_THAT(says("missing_one_more", "lm_loss"),
              StartsWith("caught: step 8 missing, one more at the end: incomplete"));
  EXPECT_THAT(says("truncated", "lm_loss"), StartsWith("caught: cut off before step 11: incomplete"));
  EXPECT_EQ(says("missing_outside", "memory_allocated"), "n/a: the window is the whole series");
}

TEST(Selftest, SaysWhyNothingWasDone) {
  Guarded guarded;
  guarded.reference = baseline("lm_loss 1:2.51");
  EXPECT_EQ(text_of(guarded.tested(), "truncated", "lm_loss"), "n/a: there is one value only");
  guarded.rules = {rule("lm_loss", "±0.02")};
  guarded.rules[0].max_misses = 1;
  EXPECT_THAT(survivors(guarded.tested()), IsEmpty()) << "where all are out of bounds none is allowed";
  guarded.rules = {rule("final_accuracy", ">= 0.75")};
  EXPECT_EQ(text_of(guarded.tested(), "inf_both", "final_accuracy"),
            "n/a: only constants: there is no other side");
}

TEST(Selftest, AToleranceThatOnlyImpossibleValuesBreakSurvives) {
  Guarded guarded;
  guarded.rules = {rule("throughput", "-100%", "last 10", "mean")};
  EXPECT_THAT(survivors(guarded.tested()), Contains("beyond_all throughput"));
  guarded.rules = {rule("throughput", "-99%", "last 10", "mean")};
  EXPECT_THAT(survivors(guarded.tested()), IsEmpty());
  EXPECT_THAT(text_of(guarded.tested(), "beyond_first", "throughput"), StartsWith("n/a: "));
}

TEST(Selftest, OneStepDoesNotDecideAMedian) {
  Guarded guarded;
  guarded.rules = {rule("throughput", "-5%", "last 10", "median")};
  EXPECT_EQ(text_of(guarded.tested(), "beyond_middle", "throughput"),
            "n/a: one step alone does not decide a median");
  guarded.rules = {rule("throughput", "+5%", "last 10", "median")};
  EXPECT_EQ(text_of(guarded.tested(), "on_limit", "throughput"),
            "n/a: the rule bounds nothing on the metric's bad side");
}

TEST(Selftest, AListThatRepeatsItselfDemandsNothing) {
  Guarded guarded;
  Series positions = series("memory_allocated/0 1:1000.5 2:1000.5");
  positions.set_assumed(true);
  Baseline file;
  file.runs.push_back({{}, {positions}});
  guarded.reference = make_reference(file, "b.json");
  guarded.rules = {rule("memory_allocated", "+10%", "after 1")};
  EXPECT_EQ(text_of(guarded.tested(), "missing_inside", "memory_allocated"),
            "n/a: the reference is a list that repeats itself");
}

TEST(Selftest, SamplesByTimeHaveNoSteps) {
  Guarded guarded;
  Series power("power", std::nullopt, "W", Numbering::time);
  for (const int time : {100, 200, 300}) power.append(sample(time, "350.5"));
  Baseline file;
  file.runs.push_back({{}, {power}});
  guarded.reference = make_reference(file, "b.json");
  guarded.metrics.put(
      {.name = "power", .unit = "W", .better = Better::lower, .numbered = Numbering::time, .doc = ""});
  guarded.rules = {rule("power", "+5%", "all", "mean")};
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_EQ(text_of(results, "nan_outside", "power"), "n/a: all samples by time are judged together");
  EXPECT_EQ(text_of(results, "missing_inside", "power"), "n/a: samples by time have no steps");
}

}  // namespace
}  // namespace gate::judge::testing::selftest_test
