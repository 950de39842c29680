// Accuracy tests of a model hub: the words that its environment, its messages and its result file share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gate/model/numbers/metric.h"

namespace gate {

// What is tested of a model: that its numbers or texts are right, or that it can be used at all.
enum class TestType : std::uint8_t { accuracy, usability };

// What the model does in the test.
enum class ModelTestType : std::uint8_t { inference, training };

// How far a test came.
enum class AccuracyStage : std::uint8_t { download, test };

// `accuracy_test`, `usability_test`; `inference`, `training`; `download`, `test`.
std::string_view to_string(TestType type);
std::string_view to_string(ModelTestType type);
std::string_view to_string(AccuracyStage stage);

// Return the value of the word, in any case of letters; nothing for another word. Read are the words above
// and those that stand for them elsewhere: `accuracy`, `usability`; `infer`, `train`; `downloading`, and of
// the stage `test` also `testing`, `inference`, `infer`, `training`, `train`.
std::optional<TestType> parse_test_type(std::string_view word);
std::optional<ModelTestType> parse_model_test_type(std::string_view word);
std::optional<AccuracyStage> parse_accuracy_stage(std::string_view word);

// A metric that people name in words of their own.
struct AccuracyMetric {
  std::string_view name;       // gate's: `bleu`, `mean_relative_error`
  std::string_view wire_name;  // in messages and result files: `BLEU`, `相对误差`
  Better better = Better::higher;
  std::int32_t least = 0;  // that it can be
  std::optional<std::int32_t> most = {};
  std::string_view spellings = {};  // further ones, separated by commas
};

// Return all of them, those of text first. No spelling stands twice.
std::span<const AccuracyMetric> accuracy_metrics();

// Return the metric that the word names, or nullptr. All names and spellings are read; case, blanks, dashes
// and underscores make no difference: `Exact Match` is exact_match. 绝对误差 (absolute error) alone is that
// of each value, max_abs_error; 相对误差 (relative error) alone is the mean, mean_relative_error.
const AccuracyMetric* find_accuracy_metric(std::string_view word);

// Return the name of gate's metric on the wire, and back. A name that is in no row is itself in both
// directions, and gate_metric_name(wire_metric_name(x)) is x for every name of gate's.
std::string wire_metric_name(std::string_view gate_name);
std::string gate_metric_name(std::string_view wire_name);

}  // namespace gate
