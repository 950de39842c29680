#include "judge/level.h"

#include <fmt/format.h>

#include <cmath>

namespace gate::judge {

namespace {

// For a trend nine digits are plenty, and a sum of doubles is.
std::string mean_text(double sum, std::int64_t count) {
  const double mean = count == 0 ? NAN : sum / static_cast<double>(count);
  return std::isfinite(mean) ? fmt::format("{:.9g}", mean) : "";
}

}  // namespace

Level level_of(const Trial& trial) {
  if (trial.rule().reduce != Reduce::each || trial.comparison.compared == 0) return {};
  const Line* reference = trial.yardstick.variants.empty() ? nullptr : &trial.yardstick.variants.front().line;
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
  return {mean_text(run, values), mean_text(baseline, beside)};
}

}  // namespace gate::judge
