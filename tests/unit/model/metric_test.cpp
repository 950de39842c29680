#include "gate/model/numbers/metric.h"

#include <gmock/gmock.h>

#include <set>

namespace gate::metric_test {
namespace {

TEST(Metrics, AreEachListedOnce) {
  std::set<std::string> names;
  for (const Metric& metric : built_in_metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.doc.empty()) << metric.name;
  }
}

TEST(Metrics, KnowTheirBetterSide) {
  const MetricTable table;
  for (const Metric& metric : built_in_metrics()) {
    if (metric.kind == MetricKind::memory) {
      EXPECT_EQ(metric.better, Better::lower) << metric.name;
      EXPECT_EQ(metric.numbered, Numbering::report) << metric.name;
      EXPECT_EQ(metric.unit, "MiB") << metric.name;
    }
    if (metric.name.ends_with("_loss") || metric.name.ends_with("_norm")) {
      EXPECT_EQ(metric.better, Better::none) << metric.name;
    }
  }
  EXPECT_EQ(table.get("iteration_time").better, Better::lower);
  EXPECT_EQ(table.get("throughput").better, Better::higher);
  EXPECT_EQ(table.get("throughput").unit, "TFLOP/s/device");
}

TEST(Metrics, ASuiteAddsAndReplaces) {
  MetricTable table;
  const std::size_t before = table.all().size();
  Metric loss = table.get("lm_loss");
  loss.pick = Pick::max;
  table.put(loss);
  EXPECT_EQ(table.all().size(), before);
  EXPECT_EQ(table.find("lm_loss")->pick, Pick::max);
  table.put({"made_up", "", MetricKind::other, Better::higher, Numbering::step, Pick::none, ""});
  EXPECT_EQ(table.find("made_up")->better, Better::higher);
  EXPECT_EQ(table.all().size(), before + 1);
}

TEST(Metrics, ACopyStaysWhatItWas) {
  MetricTable table;
  table.put({"made_up", "", MetricKind::other, Better::higher, Numbering::step, Pick::none, ""});
  const MetricTable copy = table;
  table.put({"made_up", "points", MetricKind::other, Better::lower, Numbering::step, Pick::none, ""});
  EXPECT_EQ(copy.get("made_up").unit, "");
  EXPECT_EQ(table.get("made_up").unit, "points");
  EXPECT_EQ(MetricTable().find("made_up"), nullptr);
}

TEST(Metrics, AnUndeclaredOneHasNoSides) {
  const MetricTable table;
  EXPECT_EQ(table.find("made_up"), nullptr);
  EXPECT_EQ(table.get("made_up").name, "made_up");
  EXPECT_EQ(table.get("made_up").kind, MetricKind::other);
}

TEST(Metrics, WordsOfTheirProperties) {
  EXPECT_EQ(to_string(Better::higher), "higher");
  EXPECT_EQ(to_string(MetricKind::speed), "speed");
  EXPECT_EQ(to_string(Numbering::report), "report");
  EXPECT_EQ(to_string(Pick::last), "last");
}

}  // namespace
}  // namespace gate::metric_test
