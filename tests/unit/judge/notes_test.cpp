// What else is worth knowing of a check: each note, with its steps.
#include <gmock/gmock.h>

#include "logs.h"

namespace gate::judge::testing::notes_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Median = remark::Stall::Median;

constexpr auto pass = CheckStatus::pass;
constexpr auto fail = CheckStatus::fail;

remark::MoveForTheBetter moved(std::optional<std::int64_t> step, Reduce reduce, const std::string& window,
                               const std::string& actual, const std::string& baseline, double percent) {
  const Value value = number(actual), reference = number(baseline);
  return {step,
          reduce,
          steps(window),
          value,
          reference,
          percent,
          value.number.to_double() / reference.number.to_double()};
}

TEST(Note, AMoveInTheGoodDirection) {
  const Judgement judgement = judged({rule("throughput", "-5%", "last 1", "mean")},
                                     "throughput 1:1.00 2:134.17", "throughput 1:1.00 2:349.41");
  EXPECT_EQ(judgement.verdict, Verdict::passed);
  EXPECT_THAT(
      notes(judgement.notes),
      ElementsAre("throughput: mean of step 2: 349.41 against 134.17, 2.6 times the baseline: re-record?"));
  EXPECT_THAT(
      checked(rule("iteration_time", "+5%", "all", "mean"), "iteration_time 1:100.0", "iteration_time 1:94.9")
          .remarks,
      have(moved({}, Reduce::mean, "1", "94.9", "100.0", -5.1)));
  EXPECT_THAT(
      checked(rule("iteration_time", "+5%", "all", "mean"), "iteration_time 1:100.0", "iteration_time 1:95.0")
          .remarks,
      IsEmpty());
  EXPECT_THAT(checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:100.0 2:100.0",
                      "memory_allocated/0 1:99.0 2:80.0")
                  .remarks,
              are(moved(2, Reduce::each, "1-2", "80.0", "100.0", -20)));
}

TEST(Note, BeyondABaselineOfZeroThereIsNoFactor) {
  EXPECT_THAT(checked(rule("throughput", "-5%"), "throughput 1:0.0", "throughput 1:5.0").remarks,
              are(remark::ZeroBaseline{steps("1")}));
  EXPECT_THAT(
      checked(rule("throughput", "-5%", "all", "mean"), "throughput 1:0.0", "throughput 1:5.0").remarks,
      are(remark::ZeroBaseline{}));
}

// Return `lm_loss 1:2.A 2:2.B ...` for the thousandths.
std::string losses(const std::vector<int>& thousandths) {
  std::string out = "lm_loss";
  for (std::size_t i = 0; i < thousandths.size(); ++i)
    out += " " + std::to_string(i + 1) + ":" + Decimal{2000 + thousandths[i], -3}.to_string();
  return out;
}

std::optional<remark::Bias> bias_of(const Check& check) {
  for (const Remark& one : check.remarks)
    if (const auto* bias = std::get_if<remark::Bias>(&one)) return *bias;
  return {};
}

std::optional<remark::Bias> bias(const std::vector<int>& thousandths,
                                 const std::string& tolerance = "±0.01") {
  return bias_of(
      checked(rule("lm_loss", tolerance), losses(std::vector<int>(thousandths.size())), losses(thousandths)));
}

remark::Bias above(const std::string& at, const std::string& mean) { return {steps(at), true, number(mean)}; }
remark::Bias below(const std::string& at, const std::string& mean) {
  return {steps(at), false, number(mean)};
}

TEST(Note, ABiasToOneSide) {
  EXPECT_EQ(bias({1, 2, 3, 4, 5, 5, 4, 3, 2, 2}), above("1-10", "0.0031"));
  EXPECT_EQ(bias({-1, -2, -3, -4, -5, -5, -4, -3, -2, -1}), below("1-10", "-0.003"));
  EXPECT_EQ(bias({0, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1}), above("4-8, 10-14", "0.001"))
      << "what is equal has no side";
}

TEST(Note, ABiasNeedsTenDifferencesOfOneSign) {
  EXPECT_EQ(bias({1, 1, 1, 1, 1, 1, 1, 1, 1}), std::nullopt);
  EXPECT_EQ(bias({0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}), std::nullopt);
  EXPECT_EQ(bias({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1}), std::nullopt);
  EXPECT_EQ(bias({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}), std::nullopt);
}

TEST(Note, ABiasIsOfWhatPassesOnBothSides) {
  const std::vector<int> higher(12, 20);
  EXPECT_EQ(bias(higher), std::nullopt) << "fails";
  EXPECT_EQ(bias(higher, "±0.02"), above("1-12", "0.02"));
  EXPECT_EQ(bias(higher, "±1% or ±0.001"), above("1-12", "0.02"));
  EXPECT_EQ(bias(higher, "+0.02"), std::nullopt);
  EXPECT_EQ(bias(higher, "<= 5"), std::nullopt) << "a constant";
  EXPECT_EQ(
      bias_of(checked(rule("lm_loss", "±0.1", "all", "mean"), losses(std::vector<int>(12)), losses(higher))),
      std::nullopt);
}

TEST(Note, ABiasIsOfTheWindow) {
  EXPECT_EQ(bias_of(checked(rule("lm_loss", "±0.01", "first 10"), losses(std::vector<int>(12)),
                            losses({1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -9, -9}))),
            above("1-10", "0.001"));
}

TEST(Note, ABiasAgainstSeveralRunsIsAgainstTheirMean) {
  const std::string low = losses(std::vector<int>(10, -4)), high = losses(std::vector<int>(10, 4));
  EXPECT_THAT(against(rule("lm_loss", "±0.01"), {low, high}, losses(std::vector<int>(10, 1))).remarks,
              are(remark::NoLongerBitEqual{1, parse_tolerance("±0.01").value()}, above("1-10", "0.001")));
  EXPECT_THAT(against(rule("lm_loss", "exact"), {low, high}, high).remarks, are(remark::Plain::bit_equal));
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
  EXPECT_THAT(against(one_percent, runs, runs[1]).remarks, are(remark::Plain::bit_equal));
  EXPECT_THAT(against(one_percent, runs, "lm_loss 1:1.00 2:2.01 3:3.00").remarks,
              are(remark::NoLongerBitEqual{3, one_percent.tolerance}));
  EXPECT_THAT(against(one_percent, runs, "lm_loss 1:1.00 2:2.02 3:3.00").remarks,
              are(remark::NoLongerBitEqual{2, one_percent.tolerance}));
}

TEST(Note, WhatLiesOutsideTheWindowIsNotSaidToBeWithin) {
  const Rule first = rule("lm_loss", "±0.01", "first 2");
  const std::string reference = flat("lm_loss", 1, 5, "1.00");
  EXPECT_THAT(checked(first, reference, "lm_loss 1:1.00 2:1.01 3:1.00 4:1.00 5:1.01").remarks,
              are(remark::NoLongerBitEqual{2, first.tolerance}));
  EXPECT_THAT(checked(first, reference, "lm_loss 1:1.00 2:1.00 3:1.01 4:1.50 5:0.75").remarks,
              are(remark::NoLongerBitEqual{3, {}}, remark::OffUnjudged{steps("4-5"), number("0.50")}));
}

TEST(Note, WhereAFailingRunFirstDiffered) {
  const Rule loss = rule("lm_loss", "±0.01");
  const std::string reference = flat("lm_loss", 1, 5, "1.00");
  EXPECT_THAT(checked(loss, reference, "lm_loss 1:1.00 2:1.01 3:1.00 4:1.50 5:1.00").remarks,
              are(remark::NoLongerBitEqual{2, {}}));
  EXPECT_THAT(checked(loss, reference, "lm_loss 1:1.00 2:1.01 3:nan 4:1.50 5:1.00").remarks,
              are(remark::NotFinite{"lm_loss", ValueKind::nan, steps("3")}, remark::NoLongerBitEqual{2, {}}));
  EXPECT_THAT(checked(loss, reference, "lm_loss 1:1.00 2:1.50 3:1.00 4:1.00 5:1.00").remarks, IsEmpty())
      << "the first miss says it";
}

TEST(Note, AMoveInTheGoodDirectionAgainstSeveralRuns) {
  EXPECT_THAT(against(rule("throughput", "-5%", "2..3", "mean"),
                      {"throughput 1:1.0 2:90.0 3:100.0", "throughput 1:1.0 2:110.0 3:100.0"},
                      "throughput 1:1.0 2:300.0 3:300.0")
                  .remarks,
              are(moved({}, Reduce::mean, "2-3", "300.0", "100.0", 200)));
  EXPECT_THAT(
      against(rule("memory_allocated", "+10%"), {"memory_allocated/3 1:90.0", "memory_allocated/3 1:110.0"},
              "memory_allocated/3 1:50.0")
          .remarks,
      are(moved(1, Reduce::each, "1", "50.0", "100.0", -50)));
}

TEST(Note, AStallAgainstSeveralRunsIsToldByTheMeanOfTheirMedians) {
  // Medians 100 and 200, so 150; the median of the runs' mean at each step would be 160.
  const std::vector<std::string> runs{"iteration_time 1:100.0 2:100.0 3:120.0",
                                      "iteration_time 1:220.0 2:200.0 3:200.0"};
  const Rule mean = rule("iteration_time", "+5%", "all", "mean");
  EXPECT_THAT(against(mean, runs, "iteration_time 1:157.0 2:157.0 3:900.0").remarks,
              have(remark::Stall{Median::passes, 4.67, steps("3"), MetricKind::speed}));
  EXPECT_THAT(against(mean, runs, "iteration_time 1:158.0 2:158.0 3:900.0").remarks,
              have(remark::Stall{Median::fails, 5.33, {}, MetricKind::speed}));
}

TEST(Note, AStallWithoutAStepOutOfBounds) {
  EXPECT_THAT(checked(rule("lm_loss", "±10% or >= 300", "all", "mean"), flat("lm_loss", 1, 3, "100.0"),
                      "lm_loss 1:100.0 2:100.0 3:300.0")
                  .remarks,
              are(remark::Stall{Median::passes, 0, {}, MetricKind::accuracy}));
}

TEST(Note, AMeanThatIsOffOutsideOfSpeed) {
  EXPECT_THAT(checked(rule("lm_loss", "±0.1", "all", "mean"), flat("lm_loss", 1, 3, "2.00"),
                      "lm_loss 1:2.00 2:3.00 3:2.00")
                  .remarks,
              are(remark::Stall{Median::passes, 0, steps("2"), MetricKind::accuracy}));
}

TEST(Note, ALongListOfStepsIsCut) {
  std::string reference = "lm_loss", log = "lm_loss";
  for (int step = 1; step <= 200; ++step) {
    reference += " " + std::to_string(step) + ":1.00";
    if (step % 3 != 0 && step % 7 != 0) log += " " + std::to_string(step) + ":1.00";
  }
  EXPECT_THAT(Words(checked(rule("lm_loss", "±0.01"), reference, log)).note,
              AllOf(HasSubstr("missing steps 3, 6, 7, 9, 12, "), HasSubstr(", ... (85 in all) of 200")));
}

TEST(Note, APercentageOfZero) {
  const Check check =
      checked(rule("memory_allocated", "+10%"), "memory_allocated/0 1:0.00", "memory_allocated/0 1:0.00");
  EXPECT_EQ(check.status, pass);
  EXPECT_THAT(check.remarks, have(remark::ZeroBaseline{steps("1")}));
  EXPECT_EQ(check.delta_percent, std::nullopt);
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
  EXPECT_THAT(ask.judge().checks[0].remarks, are(remark::Plain::steps_assumed));
  ask.log = run("lm_loss 1:1.00 2:1.00");
  EXPECT_THAT(ask.judge().checks[0].remarks, Not(have(remark::Plain::steps_assumed)));
}

}  // namespace
}  // namespace gate::judge::testing::notes_test
