// What else is worth knowing of a check: each note, with its steps.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::notes_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto pass = CheckStatus::pass;
constexpr auto fail = CheckStatus::fail;

TEST(Note, AMoveInTheGoodDirection) {
  const Judgement judgement = judged({rule("throughput", "-5%", "last 1", "mean")},
                                     "throughput 1:1.00 2:134.17", "throughput 1:1.00 2:349.41");
  EXPECT_EQ(judgement.verdict, Verdict::passed);
  EXPECT_THAT(
      notes(judgement.notes),
      ElementsAre("throughput: mean of step 2: 349.41 against 134.17, 2.6 times the baseline: re-record?"));
  EXPECT_THAT(Words(checked(rule("iteration_time", "+5%", "all", "mean"), "iteration_time 1:100.0",
                            "iteration_time 1:94.9"))
                  .note,
              HasSubstr("mean of step 1: 94.9 against 100.0, 5.1 % below the baseline: re-record?"));
  EXPECT_EQ(Words(checked(rule("iteration_time", "+5%", "all", "mean"), "iteration_time 1:100.0",
                          "iteration_time 1:95.0"))
                .note,
            "");
  EXPECT_EQ(Words(checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:100.0 2:100.0",
                          "memory_allocated/0 1:99.0 2:80.0"))
                .note,
            "report 2: 80.0 against 100.0, 20 % below the baseline: re-record?");
}

TEST(Note, BeyondABaselineOfZeroThereIsNoFactor) {
  EXPECT_EQ(Words(checked(rule("throughput", "-5%"), "throughput 1:0.0", "throughput 1:5.0")).note,
            "the baseline is 0 at step 1, and so is a percentage of it");
  EXPECT_EQ(
      Words(checked(rule("throughput", "-5%", "all", "mean"), "throughput 1:0.0", "throughput 1:5.0")).note,
      "the baseline is 0, and so is a percentage of it");
}

// Return `lm_loss 1:2.A 2:2.B ...` for the thousandths.
std::string losses(const std::vector<int>& thousandths) {
  std::string out = "lm_loss";
  for (std::size_t i = 0; i < thousandths.size(); ++i)
    out += " " + std::to_string(i + 1) + ":" + Decimal{2000 + thousandths[i], -3}.to_string();
  return out;
}

std::string bias_note(const std::vector<int>& thousandths, const std::string& tolerance = "±0.01") {
  const std::string reference = losses(std::vector<int>(thousandths.size()));
  const std::string note = Words(checked(rule("lm_loss", tolerance), reference, losses(thousandths))).note;
  const std::size_t at = note.find("all ");
  return at == std::string::npos ? "" : note.substr(at);
}

TEST(Note, ABiasToOneSide) {
  EXPECT_EQ(bias_note({1, 2, 3, 4, 5, 5, 4, 3, 2, 2}),
            "all 10 differences are above the baseline (steps 1-10, mean +0.0031)");
  EXPECT_EQ(bias_note({-1, -2, -3, -4, -5, -5, -4, -3, -2, -1}),
            "all 10 differences are below the baseline (steps 1-10, mean -0.003)");
  EXPECT_EQ(bias_note({0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1}),
            "all 10 differences are above the baseline (steps 4-8, 10-14, mean +0.001)")
      << "what is equal has no side";
}

TEST(Note, ABiasNeedsTenDifferencesOfOneSign) {
  EXPECT_EQ(bias_note({1, 1, 1, 1, 1, 1, 1, 1, 1}), "");
  EXPECT_EQ(bias_note({0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}), "");
  EXPECT_EQ(bias_note({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1}), "");
  EXPECT_EQ(bias_note({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), "");
}

TEST(Note, ABiasIsOfWhatPassesOnBothSides) {
  const std::vector<int> above(12, 20);
  EXPECT_EQ(bias_note(above), "") << "fails";
  EXPECT_NE(bias_note(above, "±0.02"), "");
  EXPECT_NE(bias_note(above, "±1% or ±0.001"), "");
  EXPECT_EQ(bias_note(above, "+0.02"), "");
  EXPECT_EQ(bias_note(above, "<= 5"), "") << "a constant";
  EXPECT_THAT(
      Words(checked(rule("lm_loss", "±0.1", "all", "mean"), losses(std::vector<int>(12)), losses(above)))
          .note,
      Not(HasSubstr("differences")));
}

TEST(Note, ABiasIsOfTheWindow) {
  EXPECT_THAT(Words(checked(rule("lm_loss", "±0.01", "first 10"), losses(std::vector<int>(12)),
                            losses({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -9, -9})))
                  .note,
              HasSubstr("all 10 differences are above the baseline (steps 1-10, mean +0.001)"));
}

TEST(Note, ABiasAgainstSeveralRunsIsAgainstTheirMean) {
  const std::string low = losses(std::vector<int>(10, -4)), high = losses(std::vector<int>(10, 4));
  EXPECT_EQ(Words(against(rule("lm_loss", "±0.01"), {low, high}, losses(std::vector<int>(10, 1)))).note,
            "within ±0.01, no longer bit-equal from step 1; all 10 differences are above the baseline (steps "
            "1-10, mean +0.001)");
  EXPECT_EQ(Words(against(rule("lm_loss", "exact"), {low, high}, high)).note, "bit-equal");
}

TEST(Note, ABiasOfRanksWithReports) {
  const auto reports = [](int rank, const char* value) {
    return flat("memory_allocated/" + std::to_string(rank), 1, 10, value) + "\n";
  };
  const Judgement judgement =
      judged({rule("memory_allocated", "±10%")}, reports(0, "5.00") + reports(1, "5.00") + reports(2, "5.00"),
             reports(0, "5.01") + reports(1, "5.01") + reports(2, "4.99"));
  EXPECT_THAT(
      notes(judgement.notes),
      ElementsAre(
          "memory_allocated ranks 0-2: within ±10%, no longer bit-equal from report 1",
          "memory_allocated ranks 0 and 1: all 10 differences are above the baseline (reports 1-10, mean "
          "+0.01)",
          "memory_allocated rank 2: all 10 differences are below the baseline (reports 1-10, mean -0.01)"));
}

TEST(Note, BitEqualityAgainstSeveralRunsIsWithTheOneThatHoldsLongest) {
  const std::vector<std::string> runs{"lm_loss 1:1.00 2:2.00 3:3.00", "lm_loss 1:1.00 2:2.01 3:3.01"};
  const Rule one_percent = rule("lm_loss", "±1%");
  EXPECT_EQ(Words(against(one_percent, runs, runs[1])).note, "bit-equal");
  EXPECT_EQ(Words(against(one_percent, runs, "lm_loss 1:1.00 2:2.01 3:3.00")).note,
            "within ±1%, no longer bit-equal from step 3");
  EXPECT_EQ(Words(against(one_percent, runs, "lm_loss 1:1.00 2:2.02 3:3.00")).note,
            "within ±1%, no longer bit-equal from step 2");
}

TEST(Note, WhereAFailingRunFirstDiffered) {
  const Rule loss = rule("lm_loss", "±0.01");
  const std::string reference = flat("lm_loss", 1, 5, "1.00");
  EXPECT_EQ(Words(checked(loss, reference, "lm_loss 1:1.00 2:1.01 3:1.00 4:1.50 5:1.00")).note,
            "no longer bit-equal from step 2");
  EXPECT_EQ(Words(checked(loss, reference, "lm_loss 1:1.00 2:1.01 3:nan 4:1.50 5:1.00")).note,
            "step 3: nan; no longer bit-equal from step 2");
  EXPECT_EQ(Words(checked(loss, reference, "lm_loss 1:1.00 2:1.50 3:1.00 4:1.00 5:1.00")).note, "")
      << "the first miss says it";
}

TEST(Note, AMoveInTheGoodDirectionAgainstSeveralRuns) {
  EXPECT_EQ(Words(against(rule("throughput", "-5%", "2..3", "mean"),
                          {"throughput 1:1.0 2:90.0 3:100.0", "throughput 1:1.0 2:110.0 3:100.0"},
                          "throughput 1:1.0 2:300.0 3:300.0"))
                .note,
            "mean of steps 2 and 3: 300.0 against 100.0, 3.0 times the baseline: re-record?");
  EXPECT_EQ(
      Words(against(rule("memory_allocated", "+10%"),
                    {"memory_allocated/3 1:90.0", "memory_allocated/3 1:110.0"}, "memory_allocated/3 1:50.0"))
          .note,
      "report 1: 50.0 against 100.0, 50 % below the baseline: re-record?");
}

TEST(Note, AStallAgainstSeveralRunsIsToldByTheMeanOfTheirMedians) {
  // Medians 100 and 200, so 150; the median of the runs' mean at each step would be 160.
  const std::vector<std::string> runs{"iteration_time 1:100.0 2:100.0 3:120.0",
                                      "iteration_time 1:220.0 2:200.0 3:200.0"};
  const Rule mean = rule("iteration_time", "+5%", "all", "mean");
  EXPECT_THAT(Words(against(mean, runs, "iteration_time 1:157.0 2:157.0 3:900.0")).note,
              HasSubstr("a stall: the median +4.67 % passes, slow at step 3"));
  EXPECT_THAT(Words(against(mean, runs, "iteration_time 1:158.0 2:158.0 3:900.0")).note,
              HasSubstr("median +5.33 %, no stall"));
}

TEST(Note, AStallWithoutAStepOutOfBounds) {
  EXPECT_EQ(Words(checked(rule("lm_loss", "±10% or >= 300", "all", "mean"), flat("lm_loss", 1, 3, "100.0"),
                          "lm_loss 1:100.0 2:100.0 3:300.0"))
                .note,
            "the median 0 % passes");
}

TEST(Note, AMeanThatIsOffOutsideOfSpeed) {
  EXPECT_EQ(Words(checked(rule("lm_loss", "±0.1", "all", "mean"), flat("lm_loss", 1, 3, "2.00"),
                          "lm_loss 1:2.00 2:3.00 3:2.00"))
                .note,
            "a stall: the median 0 % passes, off at step 2");
}

TEST(Note, ALongListOfStepsIsCut) {
  std::string reference = "lm_loss", log = "lm_loss";
  for (int step = 1; step <= 200; ++step) {
    reference += " " + std::to_string(step) + ":1.00";
    if (step % 2 == 1) log += " " + std::to_string(step) + ":1.00";
  }
  EXPECT_THAT(Words(checked(rule("lm_loss", "±0.01"), reference, log)).note,
              AllOf(HasSubstr("missing steps 2, 4, 6, "), HasSubstr(", ... (100 in all) of 200")));
}

TEST(Note, APercentageOfZero) {
  const Check check =
      checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:0.00", "memory_allocated/0 1:0.00");
  EXPECT_EQ(check.status, pass);
  EXPECT_THAT(Words(check).note, HasSubstr("the baseline is 0 at report 1, and so is a percentage of it"));
  EXPECT_EQ(Words(check).delta_percent, "");
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
  EXPECT_EQ(Words(ask.judge().checks[0]).note,
            "the baseline's step numbers are assumed: its file holds positions");
  ask.log = run("lm_loss 1:1.00 2:1.00");
  EXPECT_THAT(Words(ask.judge().checks[0]).note, Not(HasSubstr("assumed")));
}

}  // namespace
}  // namespace gate::judge::testing::notes_test
