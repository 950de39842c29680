#include "trainer/maths.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace tinygpt {
namespace {

// ln 2 in two parts: k * kLn2High is exact for |k| < 2^20 (Cody and Waite, 1980).
constexpr double kLn2High = 0x1.62e42fee00000p-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;
constexpr double kLog2E = 1.4426950408889634;

// Return 2^k for a normal result, -1022 <= k <= 1023.
double power_of_two(std::int64_t k) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
}

// 1 / n! for n = 0 .. 13.
constexpr double kInverseFactorials[] = {
    1.0,        1.0,         1.0 / 2,      1.0 / 6,       1.0 / 24,       1.0 / 120,       1.0 / 720,
    1.0 / 5040, 1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600, 1.0 / 6227020800};

// Return e^r for |r| <= ln(2) / 2: Taylor to r^13, whose rest is below 5e-18; even and odd powers side by
// side.
double exp_near_zero(double r) {
  const double square = r * r;
  double even = kInverseFactorials[12], odd = kInverseFactorials[13];
  for (int n = 10; n >= 0; n -= 2) {
    even = even * square + kInverseFactorials[n];
    odd = odd * square + kInverseFactorials[n + 1];
  }
  return even + r * odd;
}

}  // namespace

double exp_of(double x) {
  if (std::isnan(x)) return x;
  if (x < -708) return 0;
  if (x > 709) return std::numeric_limits<double>::infinity();
  const auto k = static_cast<std::int64_t>(x * kLog2E + (x < 0 ? -0.5 : 0.5));
  const double n = static_cast<double>(k);
  return exp_near_zero(x - n * kLn2High - n * kLn2Low) * power_of_two(k);
}

// With x = m * 2^e and s = (m - 1) / (m + 1): log m = 2 (s + s^3/3 + s^5/5 + ...), |s| < 0.172.
double log_of(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) m *= 2, --exponent;
  const double s = (m - 1) / (m + 1);
  double sum = 0;
  for (int n = 23; n >= 1; n -= 2) sum = sum * s * s + 1.0 / n;
  return exponent * kLn2High + (exponent * kLn2Low + 2 * s * sum);
}

double tanh_of(double x) { return 1 - 2 / (exp_of(2 * x) + 1); }

}  // namespace tinygpt
