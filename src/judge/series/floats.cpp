#include "judge/series/floats.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gate::judge {

bool numpy_close(double actual, double expected, double rtol) {
  if (!std::isfinite(actual) || !std::isfinite(expected)) return actual == expected;
  return std::abs(actual - expected) <= rtol * std::abs(expected);
}

bool pytest_approx(double actual, double expected, double rel) {
  if (actual == expected) return true;
  if (!std::isfinite(expected)) return false;
  return std::abs(expected - actual) <= std::max(rel * std::abs(expected), 1e-12);
}

double python_mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double numpy_median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace gate::judge
