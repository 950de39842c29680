#include "judge/series/relative_errors.h"

#include <cmath>

namespace gate::judge {

namespace {

constexpr std::int32_t error_places = 28;

std::optional<int128> int128_product(int128 a, int128 b) {
  int128 out = 0;
  return __builtin_mul_overflow(a, b, &out) ? std::nullopt : std::optional(out);
}

// Return the value times 10^power; nothing where it has too many digits.
std::optional<int128> times_power(int128 value, std::int32_t power) {
  std::optional<int128> out = value;
  for (; power > 0 && out && *out != 0; --power) out = int128_product(*out, 10);
  return out;
}

// Return the quotient of two decimals, the second one above 0, cut off behind its last place; nothing where
// it has too many digits.
std::optional<Decimal> cut_quotient(const Decimal& a, const Decimal& b) {
  const auto dividend = times_power(a.coefficient, a.exponent - b.exponent);
  const auto divisor = times_power(b.coefficient, b.exponent - a.exponent);
  if (!dividend || !divisor) return std::nullopt;
  std::optional<int128> quotient = *dividend / *divisor, rest = *dividend % *divisor;
  for (int place = 0; place < error_places; ++place) {
    quotient = int128_product(*quotient, 10);
    rest = int128_product(*rest, 10);
    if (!quotient || !rest) return std::nullopt;
    *quotient += *rest / *divisor;
    *rest %= *divisor;
  }
  return Decimal{*quotient, -error_places};
}

std::optional<Decimal> exact_error(const Number& difference, const Number& baseline) {
  if (!difference.exact || !baseline.exact) return std::nullopt;
  const auto part = multiply(difference.sum.abs(), Decimal{baseline.count, 0});
  const auto whole = multiply(baseline.sum.abs(), Decimal{difference.count, 0});
  return part && whole ? cut_quotient(*part, *whole) : std::nullopt;
}

}  // namespace

bool RelativeErrors::add(const Number& actual, const Number& baseline) {
  if (compare(baseline, number(Decimal{})) == 0) return false;
  const Number difference = minus(actual, baseline);
  const std::optional<Decimal> exact = exact_error(difference, baseline);
  const Number error =
      exact ? number(*exact) : number(std::fabs(to_double(difference)) / std::fabs(to_double(baseline)));
  sum_ = sum_ ? plus(*sum_, error) : error;
  return true;
}

Number RelativeErrors::sum() const {
  if (!sum_) return number(Decimal{});
  if (!sum_->exact) return number(100 * sum_->approximate);
  return {{sum_->sum.coefficient, sum_->sum.exponent + 2}, sum_->count, true, 0};
}

std::optional<Number> mean_relative_error(std::span<const std::int64_t> numbers, const NumericSeries& series,
                                          const NumericSeries& baseline) {
  RelativeErrors errors;
  for (const std::int64_t number : numbers) {
    const Point *a = series.find(number), *b = baseline.find(number);
    if (a == nullptr || b == nullptr || !errors.add(a->value, b->value)) return std::nullopt;
  }
  return numbers.empty() ? std::nullopt : std::optional(errors.mean(std::ssize(numbers)));
}

}  // namespace gate::judge
