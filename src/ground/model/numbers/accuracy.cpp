#include "gate/model/numbers/accuracy.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate {

namespace {

template <class T>
struct AccuracyWord {
  std::string_view word;
  T value;
};

// The first word of a value is the one that is written.
constexpr std::array<AccuracyWord<TestType>, 4> test_type_words{{
    {"accuracy_test", TestType::accuracy},
    {"accuracy", TestType::accuracy},
    {"usability_test", TestType::usability},
    {"usability", TestType::usability},
}};

constexpr std::array<AccuracyWord<ModelTestType>, 4> model_test_type_words{{
    {"inference", ModelTestType::inference},
    {"infer", ModelTestType::inference},
    {"training", ModelTestType::training},
    {"train", ModelTestType::training},
}};

constexpr std::array<AccuracyWord<AccuracyStage>, 8> stage_words{{
    {"download", AccuracyStage::download},
    {"downloading", AccuracyStage::download},
    {"test", AccuracyStage::test},
    {"testing", AccuracyStage::test},
    {"inference", AccuracyStage::test},
    {"infer", AccuracyStage::test},
    {"training", AccuracyStage::test},
    {"train", AccuracyStage::test},
}};

template <class T, std::size_t n>
std::string_view written_word(const std::array<AccuracyWord<T>, n>& words, T value) {
  return std::ranges::find(words, value, &AccuracyWord<T>::value)->word;
}

template <class T, std::size_t n>
std::optional<T> value_of_word(const std::array<AccuracyWord<T>, n>& words, std::string_view word) {
  const auto* row = std::ranges::find(words, to_lower(word), &AccuracyWord<T>::word);
  return row == words.end() ? std::nullopt : std::optional(row->value);
}

constexpr std::array accuracy_metric_rows{
    AccuracyMetric{"bleu", "BLEU", Better::higher, 0, 1, "sacreBLEU"},
    AccuracyMetric{"chrf", "chrF", Better::higher, 0, 1},
    AccuracyMetric{"exact_match", "exact_match", Better::higher, 0, 1, "EM,精确匹配,完全匹配"},
    AccuracyMetric{
        "mean_relative_error", "相对误差", Better::lower, 0, {}, "平均相对误差,relative error,MRE"},
    AccuracyMetric{
        "max_relative_error", "max_relative_error", Better::lower, 0, {}, "最大相对误差,MaxRelativeErr"},
    AccuracyMetric{"max_abs_error",
                   "绝对误差",
                   Better::lower,
                   0,
                   {},
                   "最大绝对误差,absolute error,abs error,max absolute error,MaxAbsErr"},
    AccuracyMetric{
        "mean_abs_error", "mean_abs_error", Better::lower, 0, {}, "平均绝对误差,mean absolute error,MAE"},
    AccuracyMetric{"rmse", "rmse", Better::lower, 0, {}, "均方根误差,root mean square error"},
    AccuracyMetric{"cosine", "cosine", Better::higher, -1, 1, "余弦相似度,cosine similarity"},
};

// Return the word as it is compared: without what makes no difference.
std::string folded_word(std::string_view word) {
  std::string folded = to_lower(word);
  std::erase_if(folded, [](char c) { return c == ' ' || c == '-' || c == '_'; });
  return folded;
}

bool has_spelling(const AccuracyMetric& metric, const std::string& folded) {
  if (folded == folded_word(metric.name) || folded == folded_word(metric.wire_name)) return true;
  const std::vector<std::string_view> spellings = split(metric.spellings, ',');
  return !folded.empty() && std::ranges::count(spellings, folded, folded_word) > 0;
}

}  // namespace

std::string_view to_string(TestType type) { return written_word(test_type_words, type); }
std::string_view to_string(ModelTestType type) { return written_word(model_test_type_words, type); }
std::string_view to_string(AccuracyStage stage) { return written_word(stage_words, stage); }

std::optional<TestType> parse_test_type(std::string_view word) {
  return value_of_word(test_type_words, word);
}

std::optional<ModelTestType> parse_model_test_type(std::string_view word) {
  return value_of_word(model_test_type_words, word);
}

std::optional<AccuracyStage> parse_accuracy_stage(std::string_view word) {
  return value_of_word(stage_words, word);
}

std::span<const AccuracyMetric> accuracy_metrics() { return accuracy_metric_rows; }

const AccuracyMetric* find_accuracy_metric(std::string_view word) {
  const std::string folded = folded_word(word);
  const auto* row = std::ranges::find_if(
      accuracy_metric_rows, [&](const AccuracyMetric& metric) { return has_spelling(metric, folded); });
  return row == accuracy_metric_rows.end() ? nullptr : row;
}

std::string wire_metric_name(std::string_view gate_name) {
  const auto* row = std::ranges::find(accuracy_metric_rows, gate_name, &AccuracyMetric::name);
  return std::string(row == accuracy_metric_rows.end() ? gate_name : row->wire_name);
}

std::string gate_metric_name(std::string_view wire_name) {
  const AccuracyMetric* metric = find_accuracy_metric(wire_name);
  return std::string(metric == nullptr ? wire_name : metric->name);
}

}  // namespace gate
