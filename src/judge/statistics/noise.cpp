#include "gate/judge/noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gate::judge {

namespace {

constexpr double nine_in_ten = 1.2815515655446004;       // Φ(1.28155...) = 0.9
constexpr double one_in_a_hundred = 2.3263478740408408;  // Φ(-2.32634...) = 0.01
constexpr double far_out = 9;                            // beyond it a normal value is as good as impossible

double density(double z) { return std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi); }

double double_mean(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Simpson's rule.
template <typename Function>
double integral(Function f, double low, double high) {
  constexpr int steps = 400;
  const double h = (high - low) / steps;
  double sum = f(low) + f(high);
  for (int i = 1; i < steps; ++i) sum += f(low + i * h) * (i % 2 == 1 ? 4 : 2);
  return sum * h / 3;
}

// Return P(D > -x and D + E > -x) for independent normal D and E of deviations d and e; x is not negative.
double both_beyond(double x, double d, double e) {
  const double low = std::max(-x / d, -far_out);
  return integral([&](double z) { return density(z) * normal_below((x + d * z) / e); }, low, far_out);
}

}  // namespace

double normal_below(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

std::optional<double> deviation_of(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  const double mean = double_mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

std::optional<double> variation_of(std::span<const double> values) {
  const std::optional<double> deviation = deviation_of(values);
  if (!deviation || double_mean(values) == 0) return std::nullopt;
  return *deviation / std::fabs(double_mean(values));
}

double difference_spread(double s, Runs runs) {
  return s * std::sqrt(1.0 / runs.candidate + 1.0 / runs.baseline);
}

double false_failure_rate(double tolerance, double s, Runs runs) {
  return s == 0 ? 0 : normal_below(-tolerance / difference_spread(s, runs));
}

double smallest_caught(double tolerance, double s, Runs runs) {
  return tolerance + nine_in_ten * difference_spread(s, runs);
}

double smallest_confirmed(double tolerance, double s, Runs runs) {
  if (s == 0 || runs.candidate == 1) return smallest_caught(tolerance, s, runs);
  const double d = difference_spread(s, runs), e = s * std::sqrt(1 - 1.0 / runs.candidate);
  double low = 0, high = far_out * s;
  while (high - low > 1e-9 * s) {
    const double middle = (low + high) / 2;
    (both_beyond(middle, d, e) < 0.9 ? low : high) = middle;
  }
  return tolerance + high;
}

double honest_spread(double tolerance, Runs runs) {
  return tolerance / (one_in_a_hundred * difference_spread(1, runs));
}

double any_of(std::span<const double> rates) {
  double none = 1;
  for (const double rate : rates) none *= 1 - rate;
  return 1 - none;
}

}  // namespace gate::judge
