#include "gate/judge/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "judge/profiles/pairs.h"
#include "logs.h"

namespace gate::judge::profile_test {
namespace {

using shown::notes;
using shown::Words;
using ::testing::AllOf;
using ::testing::HasSubstr;

Judgement judged(const Reference& reference, const Extraction& run, Profile profile) {
  const MetricTable metrics;
  return judge({.rules = {},
                .metrics = metrics,
                .reference = reference,
                .run = run,
                .outcome = std::nullopt,
                .platform = "",
                .steps = std::nullopt,
                .today = "",
                .profile = std::move(profile)});
}

// Return the verdict, each check (`lm_loss[ rank 0] pass: note`) and what is ungated.
std::string said(const Reference& reference, const Extraction& run, Profile profile) {
  const Judgement judgement = judged(reference, run, std::move(profile));
  std::string out(to_string(judgement.verdict));
  for (const Check& check : judgement.checks) {
    out += "; " + check.rule + (check.rank ? " rank " + std::to_string(*check.rank) : "");
    out += " " + std::string(to_string(check.status)) +
           (Words(check).note.empty() ? "" : ": " + Words(check).note);
  }
  for (const Ungated& entry : judgement.ungated)
    out += "; ungated " + entry.metric + ": " + words::text(entry.reason).english();
  return out;
}

// As a golden file gives it: no log lines behind the values.
Extraction file(const std::string& text) {
  Extraction run = testing::run(text);
  for (Series& series : run.series) {
    Series bare(series.metric(), series.rank(), series.unit(), series.numbered());
    for (Sample sample : series.samples()) {
      sample.line = 0;
      bare.append(std::move(sample));
    }
    series = std::move(bare);
  }
  return run;
}

std::string megatron(const std::string& golden, const std::string& actual, Profile choice = {}) {
  choice.name = "megatron";
  return said(testing::baseline(golden), file(actual), choice);
}

Profile comparing(const std::string& metric) { return {"megatron", {metric}, false}; }

Profile nondeterministic(const std::string& metric) { return {"megatron", {metric}, true}; }

TEST(Floats, AreComparedAsNumpyDoes) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(numpy_close(1.05, 1.0, 0.05000000000000005));
  EXPECT_FALSE(numpy_close(1.05, 1.0, 0.05)) << "1.05 - 1 is above 0.05 in doubles";
  EXPECT_TRUE(numpy_close(infinity, infinity, 0));
  EXPECT_FALSE(numpy_close(infinity, -infinity, 1));
  EXPECT_FALSE(numpy_close(1, infinity, 1));
  EXPECT_FALSE(numpy_close(std::nan(""), std::nan(""), 1));
}

TEST(Floats, AreComparedAsPytestDoes) {
  EXPECT_TRUE(pytest_approx(1e-12, 0, 0.01));
  EXPECT_FALSE(pytest_approx(2e-12, 0, 0.01));
  EXPECT_TRUE(pytest_approx(1.01, 1, 0.011));
  EXPECT_FALSE(pytest_approx(1.02, 1, 0.01));
  EXPECT_FALSE(pytest_approx(std::nan(""), std::nan(""), 0.01));
}

TEST(Floats, Median) {
  EXPECT_EQ(numpy_median({3, 1, 2}), 2);
  EXPECT_EQ(numpy_median({4, 1, 3, 2}), 2.5);
}

TEST(ProfileChoice, KnowsWhatItsToolTests) {
  EXPECT_TRUE(check_profile({"megatron", {"lm loss", "num_zeros", "mem-*"}, true}));
  EXPECT_TRUE(check_profile({"modellink", {}, false}));
  EXPECT_EQ(check_profile({"megatron", {"mem-alocated*"}, false}).error().message,
            "Megatron-LM has no test of \"mem-alocated*\"");
  EXPECT_EQ(check_profile({"megatron", {"lm los"}, false}).error().message,
            "Megatron-LM has no test of \"lm los\"; did you mean \"lm loss\"?");
  EXPECT_EQ(check_profile({"gate", {"lm_loss"}, false}).error().message,
            "metrics are chosen under the profile megatron only, and this is gate; switch rules off instead: "
            "rules.METRIC = false");
  EXPECT_EQ(check_profile({"modellink", {}, true}).error().message,
            "nondeterministic belongs to the profile megatron, and this is modellink");
}

TEST(ProfileChoice, IsReadFromItsWords) {
  const auto read = parse_profile(" megatron  lm_loss mem-* nondeterministic num_zeros ");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->name, "megatron");
  EXPECT_EQ(read->compare, (std::vector<std::string>{"lm_loss", "mem-*", "num_zeros"}));
  EXPECT_TRUE(read->nondeterministic);
  EXPECT_FALSE(parse_profile("megatron")->nondeterministic);
  EXPECT_EQ(parse_profile("gate lm_loss").error().message.substr(0, 7), "metrics");
  EXPECT_FALSE(parse_profile("megatron lm loss"));
}

TEST(Megatron, ComparesLossAndZerosWhereNothingIsChosen) {
  EXPECT_EQ(megatron("lm_loss 1:10.5 2:10.4\nnum_zeros 1:100 2:90\niteration_time 1:9000 2:300",
                     "lm_loss 1:10.5 2:10.4\nnum_zeros 1:100 2:90\niteration_time 1:9000 2:900"),
            "passed; lm_loss deterministic pass; lm_loss approximate pass; num_zeros deterministic pass; "
            "num_zeros approximate pass; ungated iteration_time: profile megatron does not compare it");
}

TEST(Megatron, OneUnitInTheLastPlaceIsNotDeterministic) {
  EXPECT_EQ(megatron("lm_loss 1:10.5 2:10.4", "lm_loss 1:10.5 2:10.40001", comparing("lm loss")),
            "regressed; lm_loss deterministic fail; lm_loss approximate pass");
  EXPECT_EQ(megatron("lm_loss 1:10.5 2:10.4", "lm_loss 1:10.5 2:10.40001", nondeterministic("lm_loss")),
            "passed; lm_loss approximate pass");
}

TEST(Megatron, OneStepMayBeTenTimesTooLarge) {
  EXPECT_EQ(megatron("lm_loss 1:9 2:8 3:7 4:6", "lm_loss 1:9 2:8 3:7 4:60", nondeterministic("lm_loss")),
            "passed; lm_loss approximate pass: 1 of 4 may miss: 1");
}

TEST(Megatron, FloatingPointTakesTheAllowedMissAwayFromThree) {
  EXPECT_EQ(megatron("lm_loss 1:9 2:8 3:7", "lm_loss 1:9 2:8 3:70", nondeterministic("lm_loss")),
            "regressed; lm_loss approximate fail");
}

TEST(Megatron, MissingStepsAreInfinite) {
  EXPECT_EQ(megatron("lm_loss 1:9 2:8 3:7 4:6", "lm_loss 1:9 2:8", nondeterministic("lm_loss")),
            "incomplete; lm_loss approximate missing: missing steps 3 and 4");
  EXPECT_EQ(megatron("lm_loss 1:9 2:8 3:7 4:6", "lm_loss 1:9 2:8 3:nan 4:70", nondeterministic("lm_loss")),
            "regressed; lm_loss approximate fail: step 3: not finite");
}

TEST(Megatron, WhatIsNowhereIsSaid) {
  EXPECT_EQ(
      megatron("lm_loss 1:9", "grad_norm 1:9", comparing("lm loss")),
      "incomplete; lm_loss approximate missing: not in the run by step; ungated grad_norm: profile megatron "
      "does not compare it");
  EXPECT_THAT(megatron("lm_loss 1:9", "lm_loss 1:9", comparing("num-zeros")),
              HasSubstr("unjudged; num_zeros approximate incomparable: not in the golden file by step"));
  EXPECT_THAT(megatron("memory_allocated/0 1:9", "memory_allocated/0 1:9", comparing("mem-allocated-bytes")),
              HasSubstr("incomparable: not in the golden file by step"));
}

TEST(Megatron, StepsWithoutAValueOnEitherSideAreEqual) {
  Reference golden = testing::baseline("lm_loss 1:9 2:8");
  golden.series.front().runs.front().mark_unrecorded(3);
  EXPECT_EQ(said(golden, file("lm_loss 1:9 2:8"), comparing("lm_loss")),
            "passed; lm_loss deterministic pass: step 3: no value on either side, taken as equal; lm_loss "
            "approximate "
            "pass: step 3: no value on either side, taken as equal");
  EXPECT_EQ(said(golden, file("lm_loss 1:9 2:8 3:7"), comparing("lm_loss")),
            "regressed; lm_loss deterministic fail: step 3: not recorded in the baseline; lm_loss "
            "approximate fail: "
            "step 3: not recorded in the baseline");
}

TEST(Megatron, AGlobThatSelectsNothingIsNotGreen) {
  EXPECT_EQ(megatron("lm_loss 1:9", "lm_loss 1:9", {"megatron", {"lm_loss", "mem-*"}, false}),
            "unjudged; mem-* incomparable: selects no metric of the golden file; lm_loss deterministic pass; "
            "lm_loss "
            "approximate pass");
}

TEST(Megatron, WithoutABaselineNothingIsAsked) {
  EXPECT_EQ(megatron("", "lm_loss 1:9"), "unjudged; ungated lm_loss: no baseline");
  EXPECT_EQ(judged({}, file("lm_loss 1:9"), comparing("lm_loss")).reason, "no baseline");
}

TEST(Megatron, NothingMeasuredIsNotGreen) {
  Reference golden;
  golden.unrecorded.emplace_back("lm_loss", std::nullopt, "", Numbering::step);
  golden.unrecorded.back().mark_unrecorded(1);
  EXPECT_THAT(said(golden, file("lm_loss"), comparing("lm_loss")),
              HasSubstr("unjudged; lm_loss deterministic pass"));
}

std::string times(int from, int to, double value) {
  std::string text;
  for (int step = from; step <= to; ++step) text += " " + std::to_string(step) + ":" + std::to_string(value);
  return text;
}

TEST(Megatron, IterationTimeIsTheMedianOfASteadyWindow) {
  const std::string golden = "iteration_time" + times(1, 50, 300);
  EXPECT_EQ(megatron(golden, "iteration_time" + times(1, 29, 900) + times(30, 50, 314),
                     comparing("iteration-time")),
            "passed; iteration_time approximate pass");
  EXPECT_EQ(megatron(golden, "iteration_time" + times(1, 29, 300) + times(30, 50, 316),
                     comparing("iteration-time")),
            "regressed; iteration_time approximate fail");
  EXPECT_EQ(megatron(golden, "iteration_time" + times(1, 35, 300), comparing("iteration-time")),
            "incomplete; iteration_time approximate missing: no finite value in the run at steps 36-45");
  EXPECT_EQ(megatron(golden, "iteration_time" + times(1, 44, 300), comparing("iteration-time")),
            "passed; iteration_time approximate pass: no finite value in the run at step 45");
}

TEST(Megatron, AShortRunHasAnEarlierWindow) {
  const std::string golden = "iteration_time" + times(1, 20, 300), fast = times(1, 4, 300);
  EXPECT_EQ(megatron(golden, "iteration_time" + fast + times(5, 20, 316), comparing("iteration-time")),
            "regressed; iteration_time approximate fail");
  const Judgement judgement = judged(testing::baseline(golden), file(golden), comparing("iteration-time"));
  EXPECT_EQ(Words(judgement.checks.front()).window, "5..20");
  EXPECT_EQ(Words(judgement.checks.front()).reduce, "median");
  EXPECT_EQ(Words(judgement.checks.front()).actual, "300");
  EXPECT_EQ(judgement.checks.front().baseline_file, "baselines/case.json");
}

TEST(Megatron, BehindAnEmptyWindowTheNextFourStepsAreTaken) {
  const std::string golden = "iteration_time 1:9 50:300 100:300 150:300 200:300 250:900";
  const Judgement judgement = judged(testing::baseline(golden), file(golden), comparing("iteration-time"));
  EXPECT_EQ(Words(judgement.checks.front()).steps, "50, 100, 150, 200");
  EXPECT_EQ(megatron("iteration_time 1:9 2:8 3:7", "iteration_time 1:9 2:8 3:7", comparing("iteration-time")),
            "unjudged; iteration_time approximate incomparable: no finite value in the golden file behind "
            "its warm-up");
}

TEST(Megatron, ALogIsRoundedAsItsReadingsAre) {
  const Profile exact = comparing("lm_loss");
  const Reference golden = testing::baseline("lm_loss 1:9.87654 2:10.95177");
  EXPECT_EQ(said(golden, testing::run("lm_loss 1:9.876543E+00 2:1.095177E+01"), exact),
            "passed; lm_loss deterministic pass; lm_loss approximate pass");
  EXPECT_THAT(said(golden, testing::run("lm_loss 1:9.876547E+00 2:1.095177E+01"), exact),
              HasSubstr("regressed; lm_loss deterministic fail"));
  EXPECT_THAT(said(golden, file("lm_loss 1:9.876543E+00 2:1.095177E+01"), exact), HasSubstr("regressed"))
      << "a file holds what was recorded";
}

TEST(Megatron, ATieThatALogPrintsMayHaveBeenEitherNeighbour) {
  const Profile exact = comparing("lm_loss");
  const auto verdict = [&](const std::string& golden, const std::string& run) {
    return said(testing::baseline("lm_loss 1:" + golden), testing::run("lm_loss 1:" + run), exact)
        .substr(0, 6);
  };
  for (const char* either : {"5.31408", "5.31409"})
    EXPECT_EQ(verdict(either, "5.314085E+00"), "passed") << either;
  for (const char* either : {"-5.31408", "-5.31409"})
    EXPECT_EQ(verdict(either, "-5.314085"), "passed") << either;
  for (const char* other : {"5.31407", "5.31410"})
    EXPECT_EQ(verdict(other, "5.314085E+00"), "regres") << other;
  EXPECT_EQ(verdict("5.31409", "5.3140849"), "regres") << "no tie";
}

TEST(Megatron, WhatIsNotRoundedIsComparedToAllThatTheRunPrinted) {
  const Profile exact = comparing("lm_loss");
  Reference golden = testing::baseline("lm_loss 1:9.876543021 2:0.5");
  const auto verdict = [&](const std::string& run) {
    return said(golden, testing::run(run), exact).substr(0, 6);
  };
  EXPECT_EQ(verdict("lm_loss 1:9.87654 2:5.0E-01"), "passed") << "no file says that its digits are all";
  EXPECT_EQ(verdict("lm_loss 1:9.876541 2:5.0E-01"), "passed");
  golden.series.front().runs.front().set_unrounded(true);
  EXPECT_EQ(verdict("lm_loss 1:9.87654 2:5.0E-01"), "passed");
  EXPECT_EQ(verdict("lm_loss 1:9.876543 2:5.0E-01"), "passed");
  EXPECT_EQ(verdict("lm_loss 1:9.876544 2:5.0E-01"), "regres");
  EXPECT_EQ(verdict("lm_loss 1:9.8765430210 2:5.0E-01"), "passed");
  EXPECT_EQ(verdict("lm_loss 1:9.8765430214 2:5.0E-01"), "regres");
  EXPECT_EQ(verdict("lm_loss 1:9.8765 2:5.0E-01"), "regres") << "five decimals are asked for";
  EXPECT_EQ(verdict("lm_loss 1:9.876543 2:0.500001"), "regres");
}

TEST(Megatron, ALongerGoldenRunDemandsNoMoreThanItsTests) {
  EXPECT_THAT(megatron("lm_loss 1:9 2:8 3:7 4:6\nnum_zeros 1:9 2:8 3:7 4:6",
                       "lm_loss 1:9 2:8 3:7\nnum_zeros 1:9 2:8 3:7", {"megatron", {}, true}),
              AllOf(HasSubstr("passed"), HasSubstr("missing step 4")));
}

std::string modellink(const std::string& profile, const std::string& baseline, const std::string& actual) {
  return said(testing::baseline(baseline), file(actual), {profile, {}, false});
}

constexpr const char* six = "lm_loss 1:9 2:8 3:7 4:6 5:5 6:4";
constexpr const char* speed = "\nthroughput 1:1 2:1 3:1 4:1 5:1 6:100";
constexpr const char* memory = "\nmemory_allocated/0 1:100\nmemory_max_allocated/0 1:200";

TEST(ModelLink, ComparesLossSpeedAndMemory) {
  const std::string baseline = std::string(six) + speed + memory;
  EXPECT_EQ(modellink("modellink", baseline, baseline),
            "passed; lm_loss pass; throughput pass; memory_allocated rank 0 pass; memory_max_allocated rank "
            "0 pass");
  EXPECT_THAT(
      modellink("modellink", baseline, "lm_loss 1:9 2:8 3:7.08 4:6 5:5 6:4" + std::string(speed) + memory),
      HasSubstr("regressed; lm_loss fail; throughput pass"));
  EXPECT_THAT(
      modellink("modellink", baseline, six + std::string("\nthroughput 1:9 2:9 3:9 4:9 5:9 6:94.9") + memory),
      HasSubstr("regressed; throughput fail; lm_loss pass"));
  EXPECT_THAT(modellink("modellink", baseline,
                        six + std::string(speed) + "\nmemory_allocated/0 1:50\nmemory_max_allocated/0 1:221"),
              HasSubstr("regressed; memory_max_allocated rank 0 fail; lm_loss pass"));
}

TEST(Profile, ASpeedOfZeroJudgesNothing) {
  const std::string none = "\nthroughput 1:0 2:0 3:0 4:0 5:0 6:0", any = six + std::string(speed) + memory;
  EXPECT_EQ(
      modellink("modellink", six + none + memory, any),
      "unjudged; lm_loss pass; throughput incomparable: the baseline is 0, and so is a percentage of it; "
      "memory_allocated rank 0 pass; memory_max_allocated rank 0 pass");
  EXPECT_THAT(
      modellink("modellink", six + none + memory, six + none + memory),
      HasSubstr("passed; lm_loss pass; memory_allocated rank 0 pass; memory_max_allocated rank 0 pass; "
                "ungated throughput: nowhere above 0 in the baseline, which is no speed"));
  const std::string time = "\niteration_time 1:0 2:0 3:0 4:0 5:0 6:0";
  for (const char* tool : {"mindspeed-llm", "mindspeed-mm"})
    EXPECT_THAT(modellink(tool, six + time, six + time),
                HasSubstr("ungated iteration_time: nowhere above 0 in the baseline, which is no speed"));
  EXPECT_THAT(megatron(six + time, six + time, comparing("iteration_time")),
              HasSubstr("ungated iteration_time: nowhere above 0 in the baseline, which is no speed"));
  EXPECT_THAT(modellink("modellink", six + std::string("\nthroughput 1:9 2:9 3:9 4:9 5:9 6:0") + memory, any),
              HasSubstr("unjudged; lm_loss pass; throughput incomparable: the baseline is 0, and so is a "
                        "percentage of it"));
}

TEST(ModelLink, StopsWhereAListIsLackingAndItsHeirDoesNot) {
  EXPECT_EQ(
      modellink("modellink", six, six),
      "unjudged; lm_loss pass; throughput incomparable: not in the baseline; memory_allocated incomparable: "
      "not in the baseline; memory_max_allocated incomparable: not in the baseline");
  EXPECT_EQ(
      modellink("mindspeed-llm", six, six),
      "passed; lm_loss pass; ungated grad_norm: not in the baseline; ungated iteration_time: not in the "
      "baseline; ungated memory_allocated: not in the baseline; ungated memory_max_allocated: not in the "
      "baseline");
}

TEST(ModelLink, ListsOfDifferentLengthsAreNotCompared) {
  EXPECT_THAT(modellink("mindspeed-llm", six, "lm_loss 1:9 2:8"),
              HasSubstr("incomplete; lm_loss missing: 2 values in the run, 6 in the baseline"));
  EXPECT_THAT(modellink("mindspeed-llm", "lm_loss 1:9", "lm_loss 1:9 2:8"),
              HasSubstr("unjudged; lm_loss incomparable: 2 values in the run, 1 in the baseline"));
  EXPECT_THAT(modellink("mindspeed-llm", six, "grad_norm 1:9"),
              HasSubstr("incomplete; lm_loss missing: not in the run"));
}

TEST(ModelLink, MarginsOfTheFileHoldForMindSpeedLlm) {
  Reference baseline = testing::baseline(six);
  baseline.margins["lm_loss"] = "0.03";
  const Extraction run = file("lm_loss 1:9.26 2:8 3:7 4:6 5:5 6:4");
  EXPECT_THAT(said(baseline, run, {"mindspeed-llm", {}, false}), HasSubstr("passed; lm_loss pass"));
  EXPECT_THAT(said(baseline, run, {"mindspeed-mm", {}, false}), HasSubstr("regressed; lm_loss fail"));
  baseline.margins.clear();
  EXPECT_THAT(said(baseline, run, {"mindspeed-llm", {}, false}), HasSubstr("regressed; lm_loss fail"));
}

TEST(ModelLink, TheMeanOfTimesIsTakenBehindTheWarmUp) {
  Reference baseline = testing::baseline("iteration_time 1:9000 2:300 3:300");
  EXPECT_THAT(said(baseline, file("iteration_time 1:9000 2:300 3:300"), {"mindspeed-llm", {}, false}),
              AllOf(HasSubstr("unjudged"),
                    HasSubstr("ungated iteration_time: fewer values than the 5 that are left out")));
  EXPECT_THAT(said(baseline, file("iteration_time 1:9000 2:300 3:300"), {"mindspeed-mm", {}, false}),
              HasSubstr("iteration_time incomparable: no value behind the first 5"));
  baseline.warm_up = 3;
  EXPECT_THAT(said(baseline, file("iteration_time 1:9000 2:300 3:300"), {"mindspeed-mm", {}, false}),
              HasSubstr("iteration_time incomparable: no value behind the first 3"));
  EXPECT_THAT(said(baseline, file("iteration_time 1:9000 2:300 3:300"), {"mindspeed-llm", {}, false}),
              HasSubstr("fewer values than the 5"))
      << "the file's warm_up is of MindSpeed-MM alone";
  baseline.warm_up = 1;
  EXPECT_THAT(said(baseline, file("iteration_time 1:90000 2:300 3:329"), {"mindspeed-mm", {}, false}),
              HasSubstr("passed; iteration_time pass"));
  const Judgement judgement =
      judged(baseline, file("iteration_time 1:90000 2:300 3:331"), {"mindspeed-mm", {}, false});
  EXPECT_EQ(judgement.reason, "iteration_time mean of steps 2 and 3 300 -> 315.5 (+5.17 %), limit 315");
}

TEST(ModelLink, MemoryIsComparedByPlaceInTheOrderOfRanks) {
  EXPECT_THAT(
      modellink("mindspeed-llm", "lm_loss 1:9\nmemory_allocated/0 1:100\nmemory_allocated/4 1:200",
                "lm_loss 1:9\nmemory_allocated/1 1:100\nmemory_allocated/5 1:230"),
      AllOf(HasSubstr("memory_allocated rank 0 pass: compared with rank 1 of the run, which has its place"),
            HasSubstr("memory_allocated rank 4 fail: compared with rank 5")));
}

TEST(ModelLink, ALineWithANumberThatIsNoneIsInNoList) {
  Extraction log = testing::run("lm_loss 1:9 2:nan 3:7\ngrad_norm 1:1 2:1 3:1");
  log.attempts.push_back({"", 1, 3, log.series});
  const Reference shorter = testing::baseline("lm_loss 1:9 2:7\ngrad_norm 1:1 2:1");
  EXPECT_THAT(said(shorter, log, {"mindspeed-llm", {}, false}),
              HasSubstr("passed; lm_loss pass; grad_norm pass"));
  EXPECT_THAT(said(testing::baseline("lm_loss 1:9 2:8 3:7"), log, {"mindspeed-llm", {}, false}),
              HasSubstr("incomplete; lm_loss missing: 2 values in the run, 3 in the baseline"));
}

TEST(ModelLink, TheAttemptsOfALogAreOneList) {
  Extraction log = testing::run("lm_loss 1:9 2:8");
  log.attempts = {{"", 1, 1, testing::all_series("lm_loss 1:9")}, {"", 1, 2, log.series}};
  EXPECT_THAT(said(testing::baseline("lm_loss 1:9 2:9 3:8"), log, {"mindspeed-llm", {}, false}),
              HasSubstr("passed; lm_loss pass"));
  EXPECT_EQ(notes(judged(testing::baseline("lm_loss 1:9 2:9 3:8"), log, {"mindspeed-llm", {}, false}).notes),
            std::vector<std::string>{
                "profile mindspeed-llm compares all 2 attempts of the log, one behind the other"});
}

TEST(Profile, ACrashIsOneUnderEveryProfile) {
  const Reference reference = testing::baseline("lm_loss 1:9");
  const Extraction run = file("lm_loss 1:9");
  const MetricTable metrics;
  const Judgement judgement = judge({.rules = {},
                                     .metrics = metrics,
                                     .reference = reference,
                                     .run = run,
                                     .outcome = Outcome(Exited{1}),
                                     .platform = "",
                                     .steps = std::nullopt,
                                     .today = "",
                                     .profile = {"mindspeed-llm", {}, false}});
  EXPECT_EQ(to_string(judgement.verdict), "crashed");
}

}  // namespace
}  // namespace gate::judge::profile_test
