#include "judge/series/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "gate/words/values.h"

namespace gate::judge {

namespace {

constexpr int further_decimals = 12;
constexpr int rounded_decimals = 3;
constexpr double ulps = 8;  // a distance within them is none: decision 1

Decimal whole(std::int64_t value) { return {value, 0}; }

// Return the number without the zeros behind the decimal of that exponent.
Decimal trimmed(Decimal number, std::int32_t exponent) {
  while (number.exponent < exponent && number.coefficient % 10 == 0) {
    number.coefficient /= 10;
    ++number.exponent;
  }
  return number;
}

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
}

std::optional<Decimal> scaled_sum(const Number& a, std::int64_t factor) {
  return factor == 1 ? a.sum : multiply(a.sum, whole(factor));
}

std::optional<Number> exact_plus(const Number& a, const Number& b) {
  const std::int64_t common = std::gcd(a.count, b.count);
  const std::optional<std::int64_t> count = product(a.count, b.count / common);
  const std::optional<Decimal> left = scaled_sum(a, b.count / common),
                               right = scaled_sum(b, a.count / common);
  const std::optional<Decimal> sum = left && right ? add(*left, *right) : std::nullopt;
  if (!count || !sum) return std::nullopt;
  return Number{*sum, *count, true, 0};
}

// The sign of the difference is the quick way; `<=>` also orders what is too far apart to subtract.
std::partial_ordering compare_sums(const Decimal& a, const Decimal& b) {
  const std::optional<Decimal> difference = subtract(a, b);
  return difference ? difference->coefficient <=> int128{0} : a <=> b;
}

std::partial_ordering compare_doubles(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::partial_ordering::unordered;
  const double larger = std::max(std::fabs(a), std::fabs(b));
  const double ulp = std::nextafter(larger, std::numeric_limits<double>::infinity()) - larger;
  if (std::fabs(a - b) <= ulps * ulp) return std::partial_ordering::equivalent;
  return a <=> b;
}

// Return 10^power / divisor for the smallest power that makes it whole, or nothing.
std::optional<std::pair<std::int64_t, int>> decimal_factor(std::int64_t divisor) {
  std::int64_t ten = 1;
  for (int power = 0; power <= further_decimals; ++power, ten *= 10)
    if (ten % divisor == 0) return std::pair(ten / divisor, power);
  return std::nullopt;
}

std::optional<Decimal> exact_quotient(const Number& a) {
  const std::int64_t common = std::gcd(static_cast<std::int64_t>(a.sum.coefficient % a.count), a.count);
  const auto factor = decimal_factor(a.count / common);
  if (!factor) return std::nullopt;
  const Decimal reduced{a.sum.coefficient / common, a.sum.exponent - factor->second};
  const std::optional<Decimal> quotient = multiply(reduced, whole(factor->first));
  return quotient ? std::optional(trimmed(*quotient, a.sum.exponent)) : std::nullopt;
}

std::optional<Decimal> rounded_quotient(const Number& a) {
  const std::optional<Decimal> wide = multiply(a.sum, Decimal{2000, -rounded_decimals});
  if (!wide) return std::nullopt;
  const int128 half = wide->is_negative() ? -a.count : a.count;
  return Decimal{(wide->coefficient + half) / (2 * static_cast<int128>(a.count)), wide->exponent};
}

// Nine digits: what a sum of doubles is good for.
Value value_of_double(double value) { return parse_value(fmt::format("{:.9g}", value)).value_or(Value{}); }

}  // namespace

Number number(const Decimal& decimal) { return {decimal, 1, true, 0}; }
Number number(double value) { return {{}, 1, false, value}; }

double to_double(const Number& number) {
  return number.exact ? number.sum.to_double() / static_cast<double>(number.count) : number.approximate;
}

bool is_negative(const Number& number) {
  return number.exact ? number.sum.is_negative() : number.approximate < 0;
}

Number magnitude(const Number& number) {
  return {number.sum.abs(), number.count, number.exact, std::fabs(number.approximate)};
}

Number plus(const Number& a, const Number& b) {
  const std::optional<Number> sum = a.exact && b.exact ? exact_plus(a, b) : std::nullopt;
  return sum ? *sum : number(to_double(a) + to_double(b));
}

Number minus(const Number& a, const Number& b) { return plus(a, {-b.sum, b.count, b.exact, -b.approximate}); }

Number times(const Number& a, const Decimal& factor) {
  if (!a.exact) return number(a.approximate * factor.to_double());
  const std::optional<Decimal> sum = multiply(a.sum, factor);
  return sum ? Number{trimmed(*sum, a.sum.exponent), a.count, true, 0}
             : number(to_double(a) * factor.to_double());
}

Number divide(const Number& a, std::int64_t divisor) {
  const std::optional<std::int64_t> count = product(a.count, divisor);
  if (!a.exact || !count) return number(to_double(a) / static_cast<double>(divisor));
  return {a.sum, *count, true, 0};
}

Number mean_of(std::span<const Number> numbers) {
  Number sum = numbers.front();
  for (const Number& next : numbers.subspan(1)) sum = plus(sum, next);
  return divide(sum, static_cast<std::int64_t>(numbers.size()));
}

std::partial_ordering compare(const Number& a, const Number& b) {
  if (!a.exact || !b.exact) return compare_doubles(to_double(a), to_double(b));
  if (a.count == b.count) return compare_sums(a.sum, b.sum);
  const std::optional<Decimal> left = scaled_sum(a, b.count), right = scaled_sum(b, a.count);
  if (!left || !right) return compare_doubles(to_double(a), to_double(b));
  return compare_sums(*left, *right);
}

Value value_of(const Number& number) {
  if (!number.exact) return value_of_double(number.approximate);
  if (number.count == 1) return {ValueKind::finite, number.sum};
  if (const std::optional<Decimal> quotient = exact_quotient(number)) return {ValueKind::finite, *quotient};
  if (const std::optional<Decimal> quotient = rounded_quotient(number)) return {ValueKind::finite, *quotient};
  return value_of_double(to_double(number));
}

std::optional<Value> value_of(const std::optional<Number>& number) {
  return number ? std::optional(value_of(*number)) : std::nullopt;
}

std::string text(const Number& number) { return words::value_text(value_of(number)); }

std::optional<double> percent_of(const Number& part, const Number& whole) {
  const double percent = 100 * to_double(part) / std::fabs(to_double(whole));
  if (!std::isfinite(percent)) return std::nullopt;
  const std::string text =
      std::fabs(percent) < 999.5 ? fmt::format("{:.3g}", percent) : fmt::format("{:.0f}", percent);
  return std::strtod(text.c_str(), nullptr);
}

}  // namespace gate::judge
