#include "gate/model/numbers/megatron_metric.h"

#include <gtest/gtest.h>

#include "gate/model/numbers/metric.h"

namespace gate::megatron_metric_test {
namespace {

TEST(MegatronMetric, IsFoundByEitherName) {
  for (const MegatronMetric& row : megatron_metrics()) {
    EXPECT_EQ(find_megatron_metric(row.key), &row);
    EXPECT_EQ(find_megatron_metric(row.metric), &row);
    EXPECT_NE(MetricTable().find(row.metric), nullptr) << row.metric;
  }
  EXPECT_EQ(find_megatron_metric("lm-loss"), nullptr);
}

TEST(MegatronMetric, UnitsAreExactBothWays) {
  for (const MegatronMetric& row : megatron_metrics())
    EXPECT_EQ(multiply(row.to_gate, row.from_gate), (Decimal{1, 0})) << row.key;
}

}  // namespace
}  // namespace gate::megatron_metric_test
