#include "gate/model/numbers/accuracy.h"

#include <gmock/gmock.h>

#include <set>

#include "gate/base/text.h"

namespace gate::accuracy_test {
namespace {

TEST(AccuracyWords, AreReadInAnyCaseAndWrittenInOneWay) {
  EXPECT_EQ(parse_test_type("Accuracy_Test"), TestType::accuracy);
  EXPECT_EQ(parse_test_type("usability"), TestType::usability);
  EXPECT_EQ(parse_test_type("inference"), std::nullopt);
  EXPECT_EQ(parse_test_type(""), std::nullopt);
  EXPECT_EQ(parse_model_test_type("TRAIN"), ModelTestType::training);
  EXPECT_EQ(parse_model_test_type("infer"), ModelTestType::inference);
  EXPECT_EQ(parse_model_test_type("accuracy_test"), std::nullopt);
  EXPECT_EQ(parse_accuracy_stage("Downloading"), AccuracyStage::download);
  for (const char* word : {"test", "testing", "inference", "infer", "training", "train"})
    EXPECT_EQ(parse_accuracy_stage(word), AccuracyStage::test) << word;
  EXPECT_EQ(parse_accuracy_stage("pending"), std::nullopt);
  EXPECT_EQ(to_string(TestType::accuracy), "accuracy_test");
  EXPECT_EQ(to_string(TestType::usability), "usability_test");
  EXPECT_EQ(to_string(ModelTestType::inference), "inference");
  EXPECT_EQ(to_string(ModelTestType::training), "training");
  EXPECT_EQ(to_string(AccuracyStage::download), "download");
  EXPECT_EQ(to_string(AccuracyStage::test), "test");
}

std::string metric_of(std::string_view word) {
  const AccuracyMetric* metric = find_accuracy_metric(word);
  return metric == nullptr ? "" : std::string(metric->name);
}

TEST(AccuracyMetrics, AreFoundByEverySpelling) {
  struct {
    const char *word, *name;
  } constexpr rows[] = {
      {"BLEU", "bleu"},
      {"bleu", "bleu"},
      {"sacre-bleu", "bleu"},
      {"exact match", "exact_match"},
      {"Exact-Match", "exact_match"},
      {"EM", "exact_match"},
      {"相对误差", "mean_relative_error"},
      {"平均相对误差", "mean_relative_error"},
      {"MeanRelativeError", "mean_relative_error"},
      {"绝对误差", "max_abs_error"},
      {"absolute error", "max_abs_error"},
      {"MaxAbsErr", "max_abs_error"},
      {"平均绝对误差", "mean_abs_error"},
      {"最大相对误差", "max_relative_error"},
      {"CosineSimilarity", "cosine"},
      {"chrF", "chrf"},
  };
  for (const auto& [word, name] : rows) EXPECT_EQ(metric_of(word), name) << word;
  for (const char* word : {"", " ", "-_", "bleus", "0.85", "误差", "sacreBLEU,", "b\0leu"})
    EXPECT_EQ(metric_of(word), "") << word;
}

TEST(AccuracyMetrics, HaveNoSpellingTwice) {
  std::set<std::string> seen;
  for (const AccuracyMetric& metric : accuracy_metrics()) {
    EXPECT_EQ(metric_of(metric.name), metric.name);
    EXPECT_EQ(metric_of(metric.wire_name), metric.name);
    EXPECT_TRUE(metric.better != Better::none && (!metric.most || metric.least < *metric.most))
        << metric.name;
    for (const std::string_view spelling : split(metric.spellings, ',')) {
      EXPECT_EQ(metric_of(spelling), spelling.empty() ? "" : metric.name) << spelling;
      EXPECT_TRUE(spelling.empty() || seen.insert(to_lower(spelling)).second) << spelling;
    }
  }
}

TEST(AccuracyMetrics, AreOnTheWireWhatTheServiceCallsThem) {
  EXPECT_EQ(wire_metric_name("bleu"), "BLEU");
  EXPECT_EQ(wire_metric_name("max_abs_error"), "绝对误差");
  EXPECT_EQ(wire_metric_name("mean_relative_error"), "相对误差");
  EXPECT_EQ(wire_metric_name("rouge_l"), "rouge_l") << "in no row";
  EXPECT_EQ(gate_metric_name("BLEU"), "bleu");
  EXPECT_EQ(gate_metric_name("Perplexity"), "Perplexity");
  for (const AccuracyMetric& metric : accuracy_metrics())
    EXPECT_EQ(gate_metric_name(wire_metric_name(metric.name)), metric.name);
}

}  // namespace
}  // namespace gate::accuracy_test
