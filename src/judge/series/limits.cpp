#include "judge/series/limits.h"

#include <algorithm>
#include <cmath>

#include "gate/judge/band.h"
#include "gate/words/values.h"

namespace gate::judge {

namespace {

bool less(const Number& a, const Number& b) { return compare(a, b) < 0; }

Number amount_of(const Bound& bound, const Number& baseline) {
  return bound.kind == Bound::Kind::relative ? times(magnitude(baseline), bound.amount)
                                             : number(bound.amount);
}

Interval around(const Bound& bound, const Number& baseline) {
  const Number amount = amount_of(bound, baseline);
  Interval interval;
  if (bound.side != Bound::Side::upper) interval.low = minus(baseline, amount);
  if (bound.side != Bound::Side::lower) interval.high = plus(baseline, amount);
  return interval;
}

Interval interval_of(const Bound& bound, const std::optional<Number>& baseline) {
  const Number amount = number(bound.amount);
  switch (bound.kind) {
    case Bound::Kind::at_least:
      return {amount, std::nullopt};
    case Bound::Kind::at_most:
    case Bound::Kind::error:
      return {std::nullopt, amount};
    case Bound::Kind::equals:
      return {amount, amount};
    case Bound::Kind::exact:
      return {*baseline, *baseline};
    case Bound::Kind::absolute:
    case Bound::Kind::relative:
      return around(bound, *baseline);
  }
  return {};
}

Interval intersection(const Interval& a, const Interval& b) {
  Interval out = a;
  if (b.low && (!a.low || less(*a.low, *b.low))) out.low = b.low;
  if (b.high && (!a.high || less(*b.high, *a.high))) out.high = b.high;
  return out;
}

Number interval_margin(const Interval& interval, const Number& actual) {
  if (!interval.low) return interval.high ? minus(*interval.high, actual) : number(Decimal{});
  const Number below = minus(actual, *interval.low);
  return interval.high ? std::min(below, minus(*interval.high, actual), less) : below;
}

Bound::Side side_of_bound(const Bound& bound) {
  if (bound.kind == Bound::Kind::at_least) return Bound::Side::lower;
  if (bound.kind == Bound::Kind::at_most || bound.kind == Bound::Kind::error) return Bound::Side::upper;
  return bound.kind == Bound::Kind::exact || bound.kind == Bound::Kind::equals ? Bound::Side::both
                                                                               : bound.side;
}

std::optional<Number> least_allowance(const std::vector<Bound>& all_of, const Number& baseline) {
  std::optional<Number> least;
  for (const Bound& bound : all_of) {
    if (bound.kind != Bound::Kind::absolute && bound.kind != Bound::Kind::relative) continue;
    const Number amount = amount_of(bound, baseline);
    least = least ? std::min(*least, amount, less) : amount;
  }
  return least;
}

constexpr double largest_whole = 9e15;  // doubles count one by one up to here

std::optional<int128> times_ten(int128 value) {
  int128 out = 0;
  return __builtin_mul_overflow(value, int128{10}, &out) ? std::nullopt : std::optional(out);
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
  const bool rounded_up = *dividend % *divisor != 0 && *dividend < 0;
  return Decimal{*dividend / *divisor - (rounded_up ? 1 : 0), exponent};
}

// Return the end of the limits on that side, of the intervals that hang together with the value.
std::optional<Number> end_of(const Intervals& limits, const Number& inside, Bound::Side side) {
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

Intervals limits_of(const Tolerance& tolerance, const std::optional<Number>& baseline) {
  Intervals limits;
  for (const std::vector<Bound>& all_of : tolerance.any_of) {
    Interval both;
    for (const Bound& bound : all_of) both = intersection(both, interval_of(bound, baseline));
    limits.push_back(both);
  }
  return limits;
}

bool within(const Intervals& limits, const Number& actual) {
  return std::ranges::any_of(limits, [&](const Interval& i) {
    return (!i.low || compare(actual, *i.low) >= 0) && (!i.high || compare(actual, *i.high) <= 0);
  });
}

bool all_below(const Intervals& limits, const Number& low) {
  return std::ranges::all_of(limits, [&](const Interval& i) { return i.high && less(*i.high, low); });
}

bool all_above(const Intervals& limits, const Number& high) {
  return std::ranges::all_of(limits, [&](const Interval& i) { return i.low && less(high, *i.low); });
}

Number margin_of(const Intervals& limits, const Number& actual) {
  Number best = interval_margin(limits.front(), actual);
  for (const Interval& interval : limits) best = std::max(best, interval_margin(interval, actual), less);
  return best;
}

Intervals merged(Intervals limits) {
  std::ranges::stable_sort(
      limits, [](const Interval& a, const Interval& b) { return b.low && (!a.low || less(*a.low, *b.low)); });
  Intervals out;
  for (const Interval& next : limits) {
    const bool touch =
        !out.empty() && (!out.back().high || !next.low || compare(*next.low, *out.back().high) <= 0);
    if (!touch) {
      out.push_back(next);
    } else if (!next.high || (out.back().high && less(*out.back().high, *next.high))) {
      out.back().high = next.high;
    }
  }
  return out;
}

LimitRanges ranges_of(const Intervals& limits) {
  LimitRanges ranges;
  for (const Interval& interval : merged(limits))
    ranges.push_back({value_of(interval.low), value_of(interval.high)});
  return ranges;
}

std::string text(const Intervals& limits) { return words::limit_text(ranges_of(limits)); }

Tolerance mirrored(const Tolerance& tolerance) {
  Tolerance other = tolerance;
  for (std::vector<Bound>& all_of : other.any_of)
    for (Bound& bound : all_of)
      if (bound.side != Bound::Side::both)
        bound.side = bound.side == Bound::Side::upper ? Bound::Side::lower : Bound::Side::upper;
  return other;
}

Bound::Side side_of(const Tolerance& tolerance) {
  std::optional<Bound::Side> shared;
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    for (const Bound& bound : all_of) {
      if (shared && *shared != side_of_bound(bound)) return Bound::Side::both;
      shared = side_of_bound(bound);
    }
  return shared.value_or(Bound::Side::both);
}

bool has_bound(const Tolerance& tolerance, Bound::Kind kind) {
  return std::ranges::any_of(tolerance.any_of, [&](const std::vector<Bound>& all_of) {
    return std::ranges::count(all_of, kind, &Bound::kind) > 0;
  });
}

std::optional<Number> allowance(const Tolerance& tolerance, const Number& baseline) {
  std::optional<Number> most;
  for (const std::vector<Bound>& all_of : tolerance.any_of) {
    const std::optional<Number> amount = least_allowance(all_of, baseline);
    if (!amount) return std::nullopt;
    most = most ? std::max(*most, *amount, less) : *amount;
  }
  return most;
}

std::optional<Decimal> on_limit(const Intervals& limits, const Number& within, Bound::Side side,
                                std::int32_t quantum) {
  const std::optional<Number> end = end_of(limits, within, side);
  if (!end) return std::nullopt;
  const std::optional<Decimal> exact = Decimal::parse(text(*end));
  if (exact && end->exact && compare(number(*exact), *end) == 0) return exact;
  const auto near = neighbours(*end, side, quantum);
  return near ? std::optional(near->inside) : std::nullopt;
}

std::optional<Decimal> beyond_limit(const Intervals& limits, const Number& within, Bound::Side side,
                                    std::int32_t quantum) {
  const std::optional<Number> end = end_of(limits, within, side);
  const auto near = end ? neighbours(*end, side, quantum) : std::nullopt;
  return near ? std::optional(near->outside) : std::nullopt;
}

Band band_of(const Tolerance& tolerance, std::optional<double> baseline) {
  if (tolerance.any_of.empty() || (!baseline && needs_baseline(tolerance))) return {};
  const Intervals limits = limits_of(tolerance, baseline ? std::optional(number(*baseline)) : std::nullopt);
  Band band;
  if (std::ranges::all_of(limits, &std::optional<Number>::has_value, &Interval::low))
    for (const Interval& one : limits) band.low = std::min(band.low.value_or(1e308), to_double(*one.low));
  if (std::ranges::all_of(limits, &std::optional<Number>::has_value, &Interval::high))
    for (const Interval& one : limits) band.high = std::max(band.high.value_or(-1e308), to_double(*one.high));
  return band;
}

}  // namespace gate::judge
