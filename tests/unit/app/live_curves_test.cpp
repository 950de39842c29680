// What `gate status` shows of a metric while its case runs.
#include "runner/session/live_curves.h"

#include <gmock/gmock.h>

#include "gate/model/rules/grammar.h"

namespace gate::app::live_curves_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

WatchedMetric watched(const std::string& metric, const std::string& tolerance, bool is_each = true) {
  const MetricKind kind = metric.ends_with("loss") ? MetricKind::accuracy : MetricKind::speed;
  return {metric, "u", kind, *parse_tolerance(tolerance), is_each};
}

Sample printed(std::int64_t step, const std::string& text) {
  return {step, parse_value(text).value_or(Value{}), text, 0, 0};
}

bool take(CaseCurves& curves, const std::string& metric, std::int64_t step, const std::string& text,
          const std::string& baseline = "", std::optional<int> rank = {}) {
  return curves.take({"c", metric, rank, printed(step, text),
                      baseline.empty() ? std::nullopt : std::optional(printed(step, baseline))});
}

TEST(LiveCurves, StandBesideTheBaseline) {
  CaseCurves curves({watched("lm_loss", "±0.01")});
  EXPECT_TRUE(take(curves, "lm_loss", 1, "2.5", "2.5"));
  EXPECT_TRUE(take(curves, "lm_loss", 2, "2.405", "2.4"));
  EXPECT_FALSE(take(curves, "lm_loss", 2, "9", "2.4", 1)) << "another rank";
  EXPECT_FALSE(take(curves, "grad_norm", 2, "9")) << "no rule";
  EXPECT_FALSE(take(curves, "lm_loss", 3, "")) << "left out";
  ASSERT_THAT(curves.shown(), SizeIs(1));
  const LiveCurve curve = curves.shown()[0];
  EXPECT_THAT(curve.values, ElementsAre(2.5, 2.405));
  EXPECT_THAT(curve.baseline, ElementsAre(2.5, 2.4));
  EXPECT_EQ(curve.now, 2.405);
  EXPECT_EQ(curve.baseline_now, 2.4);
  EXPECT_EQ(curve.tolerance, "±0.01");
  EXPECT_FALSE(curve.beyond_since);
}

TEST(LiveCurves, AStepOutOfToleranceStaysTold) {
  CaseCurves curves({watched("lm_loss", "±0.01")});
  take(curves, "lm_loss", 1, "2.5", "2.5");
  take(curves, "lm_loss", 2, "2.42", "2.4");
  take(curves, "lm_loss", 3, "2.3", "2.3");
  EXPECT_EQ(curves.shown()[0].beyond_since, 2);
}

TEST(LiveCurves, AMeanMayComeBack) {
  CaseCurves curves({watched("throughput", "-5%", false)});
  take(curves, "throughput", 1, "80", "100");
  EXPECT_EQ(curves.shown()[0].beyond_since, 1);
  for (int step = 2; step <= 4; ++step) take(curves, "throughput", step, "100", "100");
  EXPECT_FALSE(curves.shown()[0].beyond_since) << "80 and three times 100 are 95 in the mean";
  EXPECT_EQ(curves.shown()[0].now, 95);
}

TEST(LiveCurves, WhatIsNoNumberIsOutOfToleranceAndNotDrawn) {
  CaseCurves curves({watched("lm_loss", "±0.01")});
  take(curves, "lm_loss", 1, "2.5");
  take(curves, "lm_loss", 2, "nan");
  EXPECT_THAT(curves.shown()[0].values, ElementsAre(2.5));
  EXPECT_THAT(curves.shown()[0].baseline, IsEmpty());
  EXPECT_EQ(curves.shown()[0].beyond_since, 2);
}

TEST(LiveCurves, BeginAnewWithALaunchAndWithAStepThatComesAgain) {
  CaseCurves curves({watched("lm_loss", "±0.01")});
  take(curves, "lm_loss", 7, "9", "2");
  take(curves, "lm_loss", 7, "2", "2");
  EXPECT_THAT(curves.shown()[0].values, ElementsAre(2));
  EXPECT_FALSE(curves.shown()[0].beyond_since);
  curves.restart();
  EXPECT_THAT(curves.shown(), IsEmpty());
}

TEST(LiveCurves, ShowTheWholeRunInFewValues) {
  CaseCurves curves({watched("lm_loss", "±0.01")});
  for (int step = 1; step <= 1000; ++step) take(curves, "lm_loss", step, std::to_string(step), "1");
  const LiveCurve curve = curves.shown()[0];
  EXPECT_LE(curve.values.size(), most_live_values);
  EXPECT_EQ(curve.values.size(), curve.baseline.size());
  for (std::size_t i = 0; i < curve.values.size(); ++i) EXPECT_EQ(curve.values[i], 1 + 8 * i);
  EXPECT_EQ(curve.values.size(), 125U);
  EXPECT_EQ(curve.now, 1000);
}

TEST(LiveCurves, AreOneOfAccuracyAndTwoOfSpeed) {
  CaseCurves curves({watched("throughput", "-5%", false), watched("mtp_loss", "±0.01"),
                     watched("lm_loss", "±0.01"), watched("tokens_per_second", "-5%", false),
                     watched("samples_per_second", "-5%", false)});
  for (const char* metric : {"samples_per_second", "tokens_per_second", "lm_loss", "throughput"})
    take(curves, metric, 1, "1");
  std::vector<std::string> names;
  for (const LiveCurve& curve : curves.shown()) names.push_back(curve.metric);
  EXPECT_THAT(names, ElementsAre("lm_loss", "throughput", "tokens_per_second"));
}

}  // namespace
}  // namespace gate::app::live_curves_test
