#include "judge/series/boundary.h"

#include <cmath>

namespace gate::judge {

namespace {

constexpr double largest_whole = 9e15;  // doubles count one by one up to here

std::optional<int128> times_ten(int128 value) {
  int128 out = 0;
  return __builtin_mul_overflow(value, int128{10}, &out) ? std::nullopt : std::optional(out);
}

int128 floor_of_quotient(int128 a, int128 b) {
  const int128 quotient = a / b;
  return a % b != 0 && a < 0 ? quotient - 1 : quotient;
}

std::optional<Decimal> floor_of_double(double value, std::int32_t exponent) {
  const double whole = std::floor(value * std::pow(10.0, -exponent));
  if (!(std::fabs(whole) < largest_whole)) return std::nullopt;
  return Decimal{static_cast<int128>(whole), exponent};
}

// Return the largest decimal of that exponent that is not above the number.
std::optional<Decimal> floor_at(const Number& number, std::int32_t exponent) {
  if (!number.exact) return floor_of_double(number.approximate, exponent);
  std::optional<int128> dividend = number.sum.coefficient, divisor = int128{number.count};
  for (std::int32_t e = number.sum.exponent; e > exponent && dividend; --e) dividend = times_ten(*dividend);
  for (std::int32_t e = number.sum.exponent; e < exponent && divisor; ++e) divisor = times_ten(*divisor);
  if (!dividend || !divisor) return floor_of_double(to_double(number), exponent);
  return Decimal{floor_of_quotient(*dividend, *divisor), exponent};
}

// Return the end of the limits on that side, of the intervals that hang together with the value.
std::optional<Number> end_of(const Limits& limits, const Number& inside, Bound::Side side) {
  for (const Interval& interval : merged(limits))
    if (within({interval}, inside)) return side == Bound::Side::upper ? interval.high : interval.low;
  return std::nullopt;
}

bool is_beyond(const Decimal& value, const Number& end, Bound::Side side) {
  const auto order = compare(number(value), end);
  return side == Bound::Side::upper ? order > 0 : order < 0;
}

Decimal moved(Decimal value, int quanta) {
  value.coefficient += quanta;
  return value;
}

// Return the decimals of that exponent next to the end: the last one within, the first one beyond.
struct Neighbours {
  Decimal inside, outside;
};

std::optional<Neighbours> neighbours(const Number& end, Bound::Side side, std::int32_t exponent) {
  std::optional<Decimal> value = floor_at(end, exponent);
  if (!value) return std::nullopt;
  const int outwards = side == Bound::Side::upper ? 1 : -1;
  while (is_beyond(*value, end, side)) value = moved(*value, -outwards);
  while (!is_beyond(moved(*value, outwards), end, side)) value = moved(*value, outwards);
  return Neighbours{*value, moved(*value, outwards)};
}

}  // namespace

std::optional<Decimal> on_limit(const Limits& limits, const Number& within, Bound::Side side,
                                std::int32_t quantum) {
  const std::optional<Number> end = end_of(limits, within, side);
  if (!end) return std::nullopt;
  const std::optional<Decimal> exact = Decimal::parse(text(*end));
  if (exact && end->exact && compare(number(*exact), *end) == 0) return exact;
  const auto near = neighbours(*end, side, quantum);
  return near ? std::optional(near->inside) : std::nullopt;
}

std::optional<Decimal> beyond_limit(const Limits& limits, const Number& within, Bound::Side side,
                                    std::int32_t quantum) {
  const std::optional<Number> end = end_of(limits, within, side);
  const auto near = end ? neighbours(*end, side, quantum) : std::nullopt;
  return near ? std::optional(near->outside) : std::nullopt;
}

}  // namespace gate::judge
