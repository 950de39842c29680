#include "judge/series/numeric_series.h"

#include <gmock/gmock.h>

#include "gate/judge/rules.h"
#include "gate/model/rules/grammar.h"

namespace gate::judge::window_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::int64_t> resolved(const char* window, std::vector<std::int64_t> recorded) {
  return resolve(parse_window(window).value(), recorded);
}

TEST(WindowResolved, FirstAndLastCountSamples) {
  EXPECT_THAT(resolved("first 2", {100, 200, 300}), ElementsAre(100, 200));
  EXPECT_THAT(resolved("first 9", {100, 200}), ElementsAre(100, 200));
  EXPECT_THAT(resolved("last 2", {100, 200, 300}), ElementsAre(200, 300));
}

TEST(WindowResolved, LastNeverTakesTheFirstSample) {
  EXPECT_THAT(resolved("last 3", {1, 2, 3}), ElementsAre(2, 3));
  EXPECT_THAT(resolved("last 10", {1, 2, 3}), ElementsAre(2, 3));
  EXPECT_THAT(resolved("last 1", {1}), IsEmpty());
  EXPECT_THAT(resolved("last 1", {}), IsEmpty());
}

TEST(WindowResolved, TheOthersComparePrintedNumbers) {
  const std::vector<std::int64_t> recorded{10, 20, 30, 40};
  EXPECT_THAT(resolved("all", recorded), ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(resolved("20..30", recorded), ElementsAre(20, 30));
  EXPECT_THAT(resolved("11..29", recorded), ElementsAre(20));
  EXPECT_THAT(resolved("41..99", recorded), IsEmpty());
  EXPECT_THAT(resolved("after 20", recorded), ElementsAre(30, 40));
  EXPECT_THAT(resolved("step 20", recorded), ElementsAre(20));
  EXPECT_THAT(resolved("step 2", recorded), IsEmpty());
}

TEST(BuiltInRules, SayWhatTheManualSays) {
  std::vector<std::string> lines;
  for (const Rule& rule : built_in_rules())
    lines.push_back(rule.name + ": " + to_string(rule.window) + ", " + std::string(to_string(rule.reduce)) +
                    ", " + to_string(rule.tolerance) +
                    (rule.group.empty() ? "" : ", " + rule.group + " " + std::to_string(rule.place)));
  EXPECT_THAT(
      lines,
      ElementsAre(
          "lm_loss: first 15, each, ±0.01", "lm_loss_end: last 10, mean, +5% or +0.01",
          "throughput: last 10, mean, -5%, speed 0", "tokens_per_second: last 10, mean, -5%, speed 1",
          "samples_per_second: last 10, mean, -5%, speed 2", "iteration_time: last 10, mean, +5%, speed 3",
          "memory_allocated: all, each, +10%, memory 0", "memory_max_allocated: all, each, +10%, memory 0",
          "memory_max_reserved: all, max, +10%, memory 1", "memory_reserved: all, max, +10%, memory 2",
          "finite: all, each, exact", "converged: all, each, exact"));
}

TEST(BuiltInRules, BoundTheBadSideOfTheirMetrics) {
  for (const Rule& rule : built_in_rules()) {
    if (rule.metric.empty()) continue;  // it is on or off
    EXPECT_EQ(rule.is_rest_of_curve ? rule.metric + "_end" : rule.metric, rule.name);
    EXPECT_NE(MetricTable().find(rule.metric), nullptr) << rule.metric;
    EXPECT_TRUE(check_direction(rule.tolerance, metric_of(rule, MetricTable()))) << rule.name;
    EXPECT_EQ(parse_tolerance(to_string(rule.tolerance)).value(), rule.tolerance) << rule.name;
  }
}

}  // namespace
}  // namespace gate::judge::window_test
