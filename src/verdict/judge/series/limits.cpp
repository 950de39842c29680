#include "judge/series/limits.h"

#include <algorithm>
#include <cmath>

#include "gate/judge/band.h"
#include "gate/words/values.h"

namespace gate::judge {

namespace {

bool less(const Number& a, const Number& b) { return compare(a, b) < 0; }
bool coincide(const Number& a, const Number& b) { return compare(a, b) == 0; }

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

enum class EndIs { in, out };

Interval from_low(const Number& low, EndIs end) { return {low, std::nullopt, end == EndIs::out, false}; }
Interval to_high(const Number& high, EndIs end) { return {std::nullopt, high, false, end == EndIs::out}; }

Interval interval_of(const Bound& bound, const std::optional<Number>& baseline) {
  const Number amount = number(bound.amount);
  switch (bound.kind) {
    case Bound::Kind::at_least:
      return from_low(amount, EndIs::in);
    case Bound::Kind::above:
      return from_low(amount, EndIs::out);
    case Bound::Kind::at_most:
    case Bound::Kind::error:
      return to_high(amount, EndIs::in);
    case Bound::Kind::below:
      return to_high(amount, EndIs::out);
    case Bound::Kind::equals:
      return {amount, amount};
    case Bound::Kind::differs:
      return {};
    case Bound::Kind::exact:
      return {*baseline, *baseline};
    case Bound::Kind::absolute:
    case Bound::Kind::relative:
      return around(bound, *baseline);
  }
  return {};
}

bool begins_before(const Interval& a, const Interval& b) {
  if (!a.low || !b.low) return !a.low && b.low;
  return less(*a.low, *b.low) || (!a.low_open && b.low_open && coincide(*a.low, *b.low));
}

bool ends_before(const Interval& a, const Interval& b) {
  if (!a.high || !b.high) return a.high && !b.high;
  return less(*a.high, *b.high) || (a.high_open && !b.high_open && coincide(*a.high, *b.high));
}

Interval intersection(const Interval& a, const Interval& b) {
  const Interval &first = begins_before(a, b) ? b : a, &last = ends_before(b, a) ? b : a;
  return {first.low, last.high, first.low_open, last.high_open};
}

// Tell whether nothing lies between the first interval and one that begins no earlier.
bool touch(const Interval& first, const Interval& next) {
  if (!first.high || !next.low || less(*next.low, *first.high)) return true;
  return coincide(*next.low, *first.high) && !(first.high_open && next.low_open);
}

bool lies_in(const Interval& interval, const Number& value) {
  const auto above = interval.low ? compare(value, *interval.low) : std::partial_ordering::greater;
  const auto below = interval.high ? compare(*interval.high, value) : std::partial_ordering::greater;
  return (interval.low_open ? above > 0 : above >= 0) && (interval.high_open ? below > 0 : below >= 0);
}

// Return what is left of the intervals without the value: two of one that goes on at both of its sides.
Intervals without(const Intervals& intervals, const Number& value) {
  Intervals out;
  for (const Interval& interval : intervals) {
    if (!lies_in(interval, value)) {
      out.push_back(interval);
      continue;
    }
    const bool is_low = interval.low && coincide(*interval.low, value);
    const bool is_high = interval.high && coincide(*interval.high, value);
    if (!is_low) out.push_back(intersection(interval, to_high(value, EndIs::out)));
    if (is_low || !is_high) out.push_back(intersection(interval, from_low(value, EndIs::out)));
  }
  return out;
}

Intervals intervals_of(const std::vector<Bound>& all_of, const std::optional<Number>& baseline) {
  Interval both;
  for (const Bound& bound : all_of) both = intersection(both, interval_of(bound, baseline));
  Intervals out{both};
  for (const Bound& bound : all_of)
    if (bound.kind == Bound::Kind::differs) out = without(out, number(bound.amount));
  return out;
}

Number interval_margin(const Interval& interval, const Number& actual) {
  if (!interval.low) return interval.high ? minus(*interval.high, actual) : number(Decimal{});
  const Number below = minus(actual, *interval.low);
  return interval.high ? std::min(below, minus(*interval.high, actual), less) : below;
}

Bound::Side side_of_bound(const Bound& bound) {
  switch (bound.kind) {
    case Bound::Kind::at_least:
    case Bound::Kind::above:
      return Bound::Side::lower;
    case Bound::Kind::at_most:
    case Bound::Kind::below:
    case Bound::Kind::error:
      return Bound::Side::upper;
    case Bound::Kind::exact:
    case Bound::Kind::equals:
    case Bound::Kind::differs:
      return Bound::Side::both;
    case Bound::Kind::absolute:
    case Bound::Kind::relative:
      return bound.side;
  }
  return Bound::Side::both;
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

struct LimitEnd {
  Number at;
  bool is_open = false;
  Bound::Side side = Bound::Side::upper;
};

// Return the end of the limits on that side, of the intervals that hang together with the value.
std::optional<LimitEnd> end_of(const Intervals& limits, const Number& inside, Bound::Side side) {
  for (const Interval& interval : merged(limits)) {
    if (!lies_in(interval, inside)) continue;
    const bool is_upper = side == Bound::Side::upper;
    const std::optional<Number>& end = is_upper ? interval.high : interval.low;
    return end ? std::optional(LimitEnd{*end, is_upper ? interval.high_open : interval.low_open, side})
               : std::nullopt;
  }
  return std::nullopt;
}

bool is_beyond(const Decimal& value, const LimitEnd& end) {
  const auto order = compare(number(value), end.at);
  return (end.side == Bound::Side::upper ? order > 0 : order < 0) || (end.is_open && order == 0);
}

Decimal moved(Decimal value, int quanta) {
  value.coefficient += quanta;
  return value;
}

// Return the decimals of that exponent next to the end: the last one within, the first one beyond.
struct Neighbours {
  Decimal inside, outside;
};

std::optional<Neighbours> neighbours(const LimitEnd& end, std::int32_t exponent) {
  std::optional<Decimal> value = floor_at(end.at, exponent);
  if (!value) return std::nullopt;
  const int outwards = end.side == Bound::Side::upper ? 1 : -1;
  while (is_beyond(*value, end)) value = moved(*value, -outwards);
  while (!is_beyond(moved(*value, outwards), end)) value = moved(*value, outwards);
  return Neighbours{*value, moved(*value, outwards)};
}

}  // namespace

Intervals limits_of(const Tolerance& tolerance, const std::optional<Number>& baseline) {
  Intervals limits;
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    for (const Interval& interval : intervals_of(all_of, baseline)) limits.push_back(interval);
  return limits;
}

bool within(const Intervals& limits, const Number& actual) {
  return std::ranges::any_of(limits, [&](const Interval& i) { return lies_in(i, actual); });
}

bool all_below(const Intervals& limits, const Number& low) {
  return std::ranges::all_of(limits, [&](const Interval& i) {
    return i.high && (less(*i.high, low) || (i.high_open && coincide(*i.high, low)));
  });
}

bool all_above(const Intervals& limits, const Number& high) {
  return std::ranges::all_of(limits, [&](const Interval& i) {
    return i.low && (less(high, *i.low) || (i.low_open && coincide(*i.low, high)));
  });
}

Number margin_of(const Intervals& limits, const Number& actual) {
  Number best = interval_margin(limits.front(), actual);
  for (const Interval& interval : limits) best = std::max(best, interval_margin(interval, actual), less);
  return best;
}

Intervals merged(Intervals limits) {
  std::ranges::stable_sort(limits, begins_before);
  Intervals out;
  for (const Interval& next : limits) {
    if (out.empty() || !touch(out.back(), next)) {
      out.push_back(next);
    } else if (ends_before(out.back(), next)) {
      out.back().high = next.high;
      out.back().high_open = next.high_open;
    }
  }
  return out;
}

LimitRanges ranges_of(const Intervals& limits) {
  LimitRanges ranges;
  for (const Interval& interval : merged(limits))
    ranges.push_back(
        {value_of(interval.low), value_of(interval.high), interval.low_open, interval.high_open});
  return ranges;
}

std::string text(const Intervals& limits) { return words::limit_text(ranges_of(limits)).english(); }

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
  const std::optional<LimitEnd> end = end_of(limits, within, side);
  if (!end) return std::nullopt;
  const std::optional<Decimal> exact = Decimal::parse(text(end->at));
  if (!end->is_open && exact && end->at.exact && coincide(number(*exact), end->at)) return exact;
  const auto near = neighbours(*end, quantum);
  return near ? std::optional(near->inside) : std::nullopt;
}

std::optional<Decimal> beyond_limit(const Intervals& limits, const Number& within, Bound::Side side,
                                    std::int32_t quantum) {
  const std::optional<LimitEnd> end = end_of(limits, within, side);
  const auto near = end ? neighbours(*end, quantum) : std::nullopt;
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
