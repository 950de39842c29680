#include "judge/rules/level.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gate::judge {

namespace {

// For a trend nine digits are plenty, and a sum of doubles is.
std::optional<double> nine_digits(double sum, std::int64_t count) {
  const double mean = count == 0 ? NAN : sum / static_cast<double>(count);
  if (!std::isfinite(mean)) return std::nullopt;
  return std::strtod(fmt::format("{:.9g}", mean).c_str(), nullptr);
}

std::vector<double> differences(const NumericSeries& run, const NumericSeries& baseline) {
  std::vector<double> all;
  for (const Point& point : run.points())
    if (const Point* other = baseline.find(point.number))
      if (const double apart = to_double(point.value) - to_double(other->value); std::isfinite(apart))
        all.push_back(apart);
  return all;
}

}  // namespace

Level level_of(const CheckEvaluation& trial) {
  if (trial.rule().reduce != Reduce::each || trial.comparison.compared == 0) return {};
  const NumericSeries* reference =
      trial.yardstick.variants.empty() ? nullptr : &trial.yardstick.variants.front().line;
  double run = 0, baseline = 0;
  std::int64_t values = 0, beside = 0;
  for (const std::int64_t number : trial.yardstick.window) {
    const Point* point = trial.line.find(number);
    if (point == nullptr) continue;
    run += to_double(point->value);
    ++values;
    const Point* other = reference == nullptr ? nullptr : reference->find(number);
    if (other == nullptr) continue;
    baseline += to_double(other->value);
    ++beside;
  }
  return {nine_digits(run, values), nine_digits(baseline, beside)};
}

std::vector<double> trace_of(const CheckEvaluation& trial, std::size_t most) {
  if (trial.yardstick.variants.empty()) return {};
  const std::vector<double> all = differences(trial.line, trial.yardstick.variants.front().line);
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  std::vector<double> trace;
  const std::size_t stretches = std::min(most, all.size());
  for (std::size_t k = 0; k < stretches; ++k)
    trace.push_back(*std::max_element(
        all.begin() + static_cast<std::ptrdiff_t>(k * all.size() / stretches),
        all.begin() + static_cast<std::ptrdiff_t>((k + 1) * all.size() / stretches), smaller));
  return trace;
}

}  // namespace gate::judge
