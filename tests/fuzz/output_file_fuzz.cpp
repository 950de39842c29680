// Any bytes as each file that a script leaves: numbers of as many values as their shape says, which are the
// same when they are written and read again and worth what equal sides are; results whose scores belong to
// tasks; or an error that begins with the file's name. Never a crash.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gate/base/text.h"
#include "gate/schema/output_file.h"
#include "gate/score/numbers.h"
#include "gate/score/results.h"
#include "gate/score/score_metric.h"
#include "targets.h"

namespace {

using namespace gate;
using namespace gate::schema;

void hold_output(bool holds) {
  if (!holds) std::abort();
}

template <typename T>
bool is_read(const Result<T>& result) {
  hold_output(result || (result.error().message.starts_with("f:") && result.error().message.size() > 3));
  return result.has_value();
}

// Return how many values the shape has.
double product_of_shape(const std::string& shape) {
  double product = 1;
  if (shape.empty()) return product;
  for (const std::string_view length : split(shape, 'x')) {
    const auto number = parse_integer(length);
    hold_output(number && *number >= 0);
    product *= static_cast<double>(*number);
  }
  return product;
}

bool is_alike(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// What is written as JSON, as lines and as a column is read again as it was.
void try_again(const Numbers& numbers) {
  std::string list, lines;
  for (const double value : numbers.values) {
    const std::string word = std::isfinite(value) ? fmt::format("{}", value) : fmt::format("\"{}\"", value);
    list += (list.empty() ? "[" : ",") + word;
    lines += word + "\n";
  }
  if (list.empty()) return;
  for (const auto& [text, format] : {std::pair{list + "]", NumberFormat::json},
                                     {lines, NumberFormat::jsonl},
                                     {lines, NumberFormat::csv}}) {
    const auto again = read_numbers(text, format, "", "f");
    hold_output(again && std::ranges::equal(again->values, numbers.values, is_alike));
    hold_output(again->shape == std::to_string(numbers.values.size()));
  }
}

void try_scores(const Numbers& numbers) {
  for (const score::MetricRow& metric : score::metrics()) {
    if (metric.input != score::Input::numbers) continue;
    const auto score = score::score_numbers(metric.name, numbers, numbers);
    if (!score || !std::ranges::all_of(numbers.values, [](double one) { return std::isfinite(one); }))
      continue;
    hold_output(score->differing == 0 && !score->first && !score->worst);
    hold_output(score->compared == static_cast<std::int64_t>(numbers.values.size()));
    hold_output(score->value >= 0 && score->value <= 1);
    if (metric.better == Better::lower) hold_output(score->value < 1e-12);
  }
}

void try_numbers(std::string_view bytes) {
  for (const NumberFormat format :
       {NumberFormat::json, NumberFormat::jsonl, NumberFormat::csv, NumberFormat::npy})
    for (const std::string_view key : {"", "loss", "a.0", "0"}) {
      const auto numbers = read_numbers(bytes, format, key, "f");
      if (!is_read(numbers)) continue;
      hold_output(product_of_shape(numbers->shape) == static_cast<double>(numbers->values.size()));
      try_again(*numbers);
      try_scores(*numbers);
    }
}

void try_results(std::string_view bytes) {
  const auto results = read_eval_results(bytes, "f");
  if (!is_read(results)) return;
  hold_output(!results->tool.empty() && !results->tasks.empty());
  for (const EvalTask& task : results->tasks) {
    hold_output(score::why_incomparable(task, task).empty());
    hold_output(task.shots.value_or(0) >= 0 && task.samples.value_or(0) >= 0);
  }
  for (const EvalScore& score : results->scores) {
    hold_output(std::isfinite(score.value) && std::isfinite(score.standard_error.value_or(0)));
    hold_output(std::ranges::find(results->tasks, score.task, &EvalTask::task) != results->tasks.end());
  }
}

}  // namespace

int output_file_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_numbers(bytes);
  try_results(bytes);
  return 0;
}
