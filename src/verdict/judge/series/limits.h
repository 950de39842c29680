// A tolerance laid on a baseline value: the intervals in which the actual value must lie.
//
// Every bound is an interval: ±0.01 on 1.23 is 1.22..1.24, -5% on 200 is 190 and up, >= 0.75 is that without
// a baseline. Its ends belong to it but for those of `>`, `<` and `!=`, which is two intervals. `and` is the
// intersection, `or` leaves several. With the ends as exact numbers all questions (within? how far? what is
// the limit?) are comparisons.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/model/numbers/decimal.h"
#include "gate/model/rules/rule.h"
#include "gate/model/runs/remark.h"
#include "judge/series/number.h"

namespace gate::judge {

struct Interval {
  std::optional<Number> low, high;  // none: unbounded
  bool low_open = false, high_open = false;
};

using Intervals = std::vector<Interval>;

// Return the intervals of the tolerance on the baseline value, which only constants and the bound of a mean
// relative error can do without.
Intervals limits_of(const Tolerance& tolerance, const std::optional<Number>& baseline);

bool within(const Intervals& limits, const Number& actual);
bool all_below(const Intervals& limits, const Number& low);   // nothing from `low` on is within
bool all_above(const Intervals& limits, const Number& high);  // nothing up to `high` is within

// Return the same limits as intervals that neither overlap nor touch, rising.
Intervals merged(Intervals limits);

// Return how far the value is from the nearest end: what is left where it is within, negative where it is
// not; 0 at an end, also at one that is open.
Number margin_of(const Intervals& limits, const Number& actual);

// Return the limits as a report shows them, overlapping intervals merged.
LimitRanges ranges_of(const Intervals& limits);

// Return the same as text: `10.49309`, `10.47309..10.49309`.
std::string text(const Intervals& limits);

// Return the tolerance with its sides exchanged: what bounds the good direction of a one-sided tolerance.
Tolerance mirrored(const Tolerance& tolerance);

// Return the side that all bounds share, or `both`; constants count by their operator.
Bound::Side side_of(const Tolerance& tolerance);

// Tell whether one of the tolerance's bounds is of that kind.
bool has_bound(const Tolerance& tolerance, Bound::Kind kind);

// Return the largest deviation that the tolerance allows from a baseline value of that size; nothing where
// constants or `exact` alone decide.
std::optional<Number> allowance(const Tolerance& tolerance, const Number& baseline);

// Return the value exactly on the end of the limits on that side, seen from a value within them; the nearest
// one of `quantum` decimals inside where the end has no finite decimals or is open. Nothing where that side
// is unbounded.
std::optional<Decimal> on_limit(const Intervals& limits, const Number& within, Bound::Side side,
                                std::int32_t quantum);

// Return the nearest value of `quantum` decimals outside of that end.
std::optional<Decimal> beyond_limit(const Intervals& limits, const Number& within, Bound::Side side,
                                    std::int32_t quantum);

}  // namespace gate::judge
