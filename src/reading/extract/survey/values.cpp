#include "extract/survey/values.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gate/extract/survey.h"

namespace gate::extract {

namespace {

constexpr std::size_t several = 3;
constexpr double since_1970 = 1e9;  // seconds or milliseconds, of a number that says when

struct ValueCourse {
  std::size_t up = 0, down = 0, even = 0;
  double first = 0, last = 0;
};

// NaN and infinities are passed over.
ValueCourse course_of_values(std::span<const double> values) {
  ValueCourse steps;
  bool has_first = false;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    if (!std::exchange(has_first, true)) {
      steps.first = steps.last = value;
      continue;
    }
    ++(value > steps.last ? steps.up : value < steps.last ? steps.down : steps.even);
    steps.last = value;
  }
  return steps;
}

// It rises from line to line, but where it is set back. A time of each step does so at a few lines only.
bool runs_since_start(const GuessedMetric& guess, const ValueCourse& steps) {
  if (guess.is_since_start && steps.down == 0 && steps.up >= several) return true;
  constexpr std::size_t seldom = 10;
  const std::size_t others = steps.down + steps.even;
  const bool is_far = steps.last > steps.first * static_cast<double>(steps.up) / 2;  // as many steps as lines
  return steps.up + 1 >= several && others * seldom <= steps.up && (guess.is_since_start || is_far);
}

// It falls to its end; a coarse one stands still at times, and an estimate rises now and then. A step's own
// time falls behind its first steps alone.
bool counts_down(const ValueCourse& steps, std::span<const double> values) {
  constexpr std::size_t seldom = 5;
  const double middle = values[values.size() / 2];
  return steps.down + 1 >= several && steps.up * seldom <= steps.down && steps.first > middle &&
         middle > steps.last && std::abs(steps.last) * 2 < std::abs(steps.first);
}

}  // namespace

bool counts_evenly(std::span<const double> values) {
  if (values.size() < several) return false;
  const double by = values[1] - values[0];
  for (std::size_t i = 1; i < values.size(); ++i)
    if (values[i] - values[i - 1] != by || values[i] != std::floor(values[i])) return false;
  return by > 0;
}

Sentence why_no_metric(const GuessedMetric& guess, std::span<const double> values) {
  if (guess.is_progress && guess.metric.name != "lm_loss")
    return say({"it tells how far the run is", "它是运行的进度"});
  const ValueCourse steps = course_of_values(values);
  const bool is_time = guess.metric.kind == MetricKind::speed && guess.metric.better == Better::lower;
  const bool is_old = values.front() >= since_1970 && (steps.down == 0 || is_time);
  if (is_old && guess.metric.kind != MetricKind::memory && guess.metric.kind != MetricKind::accuracy)
    return say({"it says when", "它是时刻"});
  if (is_time && runs_since_start(guess, steps)) return say({"a clock since the start", "从开始计起的时钟"});
  if (is_time && counts_down(steps, values)) return say({"a time that is left", "剩余时间"});
  if (counts_evenly(values) && guess.metric.kind == MetricKind::accuracy)
    return say({"it counts", "它是计数"});
  const bool is_constant = values.size() >= several && steps.up + steps.down == 0;
  const bool is_of_training = guess.metric.name == "learning_rate" || guess.metric.name == "loss_scale";
  if (is_constant && guess.metric.kind == MetricKind::other && !is_of_training)
    return say({"it is the same in all lines", "各行都一样"});
  return {};
}

}  // namespace gate::extract
