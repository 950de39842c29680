#include "judge/series/limits.h"

#include <algorithm>

#include "gate/words/values.h"

namespace gate::judge {

namespace {

using BoundKind = Bound::Kind;
using Side = Bound::Side;

bool less(const Number& a, const Number& b) { return compare(a, b) < 0; }

Number amount_of(const Bound& bound, const Number& baseline) {
  return bound.kind == BoundKind::relative ? times(magnitude(baseline), bound.amount) : number(bound.amount);
}

Interval around(const Bound& bound, const Number& baseline) {
  const Number amount = amount_of(bound, baseline);
  Interval interval;
  if (bound.side != Side::upper) interval.low = minus(baseline, amount);
  if (bound.side != Side::lower) interval.high = plus(baseline, amount);
  return interval;
}

Interval interval_of(const Bound& bound, const std::optional<Number>& baseline) {
  const Number amount = number(bound.amount);
  switch (bound.kind) {
    case BoundKind::at_least:
      return {amount, std::nullopt};
    case BoundKind::at_most:
      return {std::nullopt, amount};
    case BoundKind::equals:
      return {amount, amount};
    case BoundKind::exact:
      return {*baseline, *baseline};
    case BoundKind::absolute:
    case BoundKind::relative:
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

bool contains(const Interval& interval, const Number& actual) {
  return (!interval.low || compare(actual, *interval.low) >= 0) &&
         (!interval.high || compare(actual, *interval.high) <= 0);
}

Number interval_margin(const Interval& interval, const Number& actual) {
  if (!interval.low) return interval.high ? minus(*interval.high, actual) : number(Decimal{});
  const Number below = minus(actual, *interval.low);
  return interval.high ? std::min(below, minus(*interval.high, actual), less) : below;
}

bool begins_before(const Interval& a, const Interval& b) { return b.low && (!a.low || less(*a.low, *b.low)); }

bool touch(const Interval& a, const Interval& b) {
  return !a.high || !b.low || compare(*b.low, *a.high) <= 0;
}

Side side_of_bound(const Bound& bound) {
  if (bound.kind == BoundKind::at_least) return Side::lower;
  if (bound.kind == BoundKind::at_most) return Side::upper;
  return bound.kind == BoundKind::exact || bound.kind == BoundKind::equals ? Side::both : bound.side;
}

std::optional<Number> least_allowance(const std::vector<Bound>& all_of, const Number& baseline) {
  std::optional<Number> least;
  for (const Bound& bound : all_of) {
    if (bound.kind != BoundKind::absolute && bound.kind != BoundKind::relative) continue;
    const Number amount = amount_of(bound, baseline);
    least = least ? std::min(*least, amount, less) : amount;
  }
  return least;
}

}  // namespace

Limits limits_of(const Tolerance& tolerance, const std::optional<Number>& baseline) {
  Limits limits;
  for (const std::vector<Bound>& all_of : tolerance.any_of) {
    Interval both;
    for (const Bound& bound : all_of) both = intersection(both, interval_of(bound, baseline));
    limits.push_back(both);
  }
  return limits;
}

bool within(const Limits& limits, const Number& actual) {
  return std::any_of(limits.begin(), limits.end(), [&](const Interval& i) { return contains(i, actual); });
}

bool all_below(const Limits& limits, const Number& low) {
  return std::all_of(limits.begin(), limits.end(),
                     [&](const Interval& i) { return i.high && less(*i.high, low); });
}

bool all_above(const Limits& limits, const Number& high) {
  return std::all_of(limits.begin(), limits.end(),
                     [&](const Interval& i) { return i.low && less(high, *i.low); });
}

Number margin_of(const Limits& limits, const Number& actual) {
  Number best = interval_margin(limits.front(), actual);
  for (const Interval& interval : limits) best = std::max(best, interval_margin(interval, actual), less);
  return best;
}

Limits merged(Limits limits) {
  std::stable_sort(limits.begin(), limits.end(), begins_before);
  Limits out;
  for (const Interval& next : limits) {
    if (out.empty() || !touch(out.back(), next)) {
      out.push_back(next);
    } else if (!next.high || (out.back().high && less(*out.back().high, *next.high))) {
      out.back().high = next.high;
    }
  }
  return out;
}

LimitRanges ranges_of(const Limits& limits) {
  LimitRanges ranges;
  for (const Interval& interval : merged(limits))
    ranges.push_back({value_of(interval.low), value_of(interval.high)});
  return ranges;
}

std::string text(const Limits& limits) { return words::limit_text(ranges_of(limits)); }

Tolerance mirrored(const Tolerance& tolerance) {
  Tolerance other = tolerance;
  for (std::vector<Bound>& all_of : other.any_of)
    for (Bound& bound : all_of)
      if (bound.side != Side::both) bound.side = bound.side == Side::upper ? Side::lower : Side::upper;
  return other;
}

Side side_of(const Tolerance& tolerance) {
  std::optional<Side> shared;
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    for (const Bound& bound : all_of) {
      if (shared && *shared != side_of_bound(bound)) return Side::both;
      shared = side_of_bound(bound);
    }
  return shared.value_or(Side::both);
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

}  // namespace gate::judge
