#include "gate/words/ab.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gate/model/rules/grammar.h"

namespace gate::words::ab_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

AbMetric metric(const std::string& name, MetricKind kind, AbAnswer answer, double change, double low,
                double high) {
  AbMetric metric;
  metric.rule = metric.metric = name;
  metric.kind = kind;
  metric.tolerated = 0.05;
  metric.change = PairedChange{6, change, low, high, 0.0123, answer};
  return metric;
}

AbMetric slower() {
  return metric("throughput", MetricKind::speed, AbAnswer::worse, -0.0305, -0.0391, -0.0218);
}

AbResult result_of(std::vector<AbMetric> metrics) {
  AbResult result;
  result.pairs = 6;
  result.most = 10;
  result.metrics = std::move(metrics);
  return result;
}

std::string line(const AbResult& result) {
  const AbSummary summary = summary_of(result);
  return (summary.head + "|" + summary.rest).english();
}

TEST(Shares, ArePercentages) {
  EXPECT_EQ(share_text(-0.0305), "-3.05 %");
  EXPECT_EQ(share_text(0), "0 %");
  EXPECT_EQ(share_text(12), "+1200 %");
  EXPECT_EQ(interval_text({6, 0, -0.0391, 0.0218}), "-3.91 % .. +2.18 %");
}

TEST(Answers, AreOfTheKindOfMetric) {
  for (const MetricKind kind : {MetricKind::speed, MetricKind::memory, MetricKind::other}) {
    EXPECT_EQ(answer_text(AbAnswer::none, kind), "no difference");
    EXPECT_EQ(answer_text(AbAnswer::undecided, kind), "undecided");
  }
  EXPECT_EQ(answer_text(AbAnswer::worse, MetricKind::speed), "slower");
  EXPECT_EQ(answer_text(AbAnswer::better, MetricKind::speed), "faster");
  EXPECT_EQ(answer_text(AbAnswer::worse, MetricKind::memory), "more memory");
  EXPECT_EQ(answer_text(AbAnswer::better, MetricKind::memory), "less memory");
  EXPECT_EQ(answer_text(AbAnswer::worse, MetricKind::other), "worse");
  EXPECT_EQ(answer_text(AbAnswer::better, MetricKind::accuracy), "better");
  AbMetric nothing = slower();
  nothing.change.reset();
  EXPECT_EQ(answer_text(nothing), "undecided");
  EXPECT_EQ(answer_text(slower()), "slower");
}

TEST(Summary, NamesTheMetricsOfItsAnswer) {
  EXPECT_EQ(line(result_of({slower()})), "slower|throughput -3.05 % (-3.91 % .. -2.18 %) after 6 pairs");
  AbResult once = result_of({slower()});
  once.pairs = 1;
  EXPECT_EQ(line(once), "slower|throughput -3.05 % (-3.91 % .. -2.18 %) after 1 pair");
}

// Speed comes first, and what has another answer is left out.
TEST(Summary, TellsSpeedFirst) {
  const AbMetric memory = metric("memory", MetricKind::memory, AbAnswer::worse, 0.2, 0.1, 0.3);
  const AbMetric fine = metric("score", MetricKind::other, AbAnswer::better, 0.2, 0.1, 0.3);
  EXPECT_EQ(line(result_of({memory, fine, slower()})),
            "slower|throughput -3.05 % (-3.91 % .. -2.18 %), memory +20 % (+10 % .. +30 %) after 6 pairs");
  EXPECT_EQ(line(result_of({memory})), "more memory|memory +20 % (+10 % .. +30 %) after 6 pairs");
}

TEST(Summary, OfNoDifferenceTellsWhatIsNone) {
  const AbMetric same = metric("throughput", MetricKind::speed, AbAnswer::none, 0.001, -0.01, 0.012);
  EXPECT_EQ(line(result_of({same})),
            "no difference|throughput +0.1 % (-1 % .. +1.2 %), within 5 % after 6 pairs");
}

TEST(Summary, OfWhatIsUndecidedTellsWhatWouldShow) {
  const AbMetric open = metric("throughput", MetricKind::speed, AbAnswer::undecided, -0.03, -0.08, 0.02);
  EXPECT_EQ(line(result_of({open})),
            "undecided|throughput -3 % (-8 % .. +2 %) after 6 pairs; 10 pairs detect a change of "
            "1.2 % in throughput with 90 % power");
  AbMetric unknown = open;
  unknown.change.reset();
  EXPECT_EQ(line(result_of({unknown})),
            "undecided|throughput: too few pairs, or values that are not above 0 after 6 pairs");
}

TEST(Summary, IsSaidInChinese) {
  const AbMetric open = metric("throughput", MetricKind::speed, AbAnswer::undecided, -0.03, -0.08, 0.02);
  const AbSummary summary = summary_of(result_of({open}));
  EXPECT_EQ(summary.head.in(Language::chinese), "未定");
  EXPECT_EQ(summary.rest.in(Language::chinese),
            "throughput -3 %（-8 % .. +2 %），共 6 对；10 对有 90 % 的概率检出 throughput 1.2 % 的变化");
}

TEST(Summary, OfAFailureIsItsVerdict) {
  AbResult result = result_of({slower()});
  result.failure = AbFailure{"B", 2, Verdict::crashed, "exited 3", ""};
  EXPECT_EQ(line(result), "crashed|B, pair 2: exited 3");
  result.failure = AbFailure{"", 0, Verdict::infra, "no device is free", ""};
  EXPECT_EQ(line(result), "infra|no device is free");
}

AbLoss loss(const std::string& series, std::int64_t common, int different) {
  AbLoss loss{series, common, different, {}, false};
  if (different > 0) {
    loss.first.emplace();
    loss.first->number = 7;
    loss.first->a = parse_value("2.5").value();
    loss.first->b = parse_value("2.75").value();
  }
  return loss;
}

TEST(Details, TellWhereLossesPart) {
  AbResult result = result_of({});
  result.losses = {loss("lm_loss", 30, 0), loss("grad_norm", 30, 2), loss("reward", 0, 0), loss("aux", 3, 0)};
  result.losses[1].differs_in_a = true;
  result.notes = {"a note"};
  EXPECT_THAT(
      ab_details(result),
      ElementsAre("grad_norm: differs in 2 of 6 pairs, first at 7: 2.5 -> 2.75; runs of A are not equal "
                  "to one another either",
                  "lm_loss, aux: equal as printed in 6 pairs", "a note"));
  EXPECT_THAT(ab_details(result_of({})), IsEmpty());
}

TEST(Summary, OfNoDifferenceNamesLossesThatAreNotEqual) {
  AbResult result = result_of({metric("throughput", MetricKind::speed, AbAnswer::none, 0.001, -0.01, 0.012)});
  result.losses = {loss("lm_loss", 30, 6), loss("grad_norm", 30, 2), loss("aux", 3, 0)};
  result.losses[1].differs_in_a = true;
  EXPECT_THAT(line(result), testing::EndsWith("after 6 pairs; not equal: lm_loss"));
}

TEST(Details, NameTenSeriesAtMost) {
  AbResult result = result_of({});
  for (int i = 0; i < 12; ++i) result.losses.push_back(loss("s" + std::to_string(i), 1, 0));
  EXPECT_THAT(ab_details(result),
              ElementsAre("s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 and 2 more: equal as printed in 6 pairs"));
}

}  // namespace
}  // namespace gate::words::ab_test
