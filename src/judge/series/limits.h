// A tolerance laid on a baseline value: the intervals in which the actual value must lie.
//
// Every bound is an interval, closed at both ends (the boundary belongs to the tolerance): ±0.01 on 1.23 is
// 1.22..1.24, -5% on 200 is 190 and up, >= 0.75 is that without a baseline. `and` is the intersection, `or`
// leaves several. With the ends as exact numbers all questions (within? how far? what is the limit?) are
// comparisons.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/model/remark.h"
#include "gate/model/rule.h"
#include "judge/series/number.h"

namespace gate::judge {

struct Interval {
  std::optional<Number> low, high;  // none: unbounded
};

using Limits = std::vector<Interval>;

// Return the intervals of the tolerance on the baseline value, which only constants can do without.
Limits limits_of(const Tolerance& tolerance, const std::optional<Number>& baseline);

bool within(const Limits& limits, const Number& actual);
bool all_below(const Limits& limits, const Number& low);   // every interval ends below `low`
bool all_above(const Limits& limits, const Number& high);  // every interval begins above `high`

// Return the same limits as intervals that neither overlap nor touch, rising.
Limits merged(Limits limits);

// Return how far the value is from the nearest end: what is left where it is within, negative where it is
// not.
Number margin_of(const Limits& limits, const Number& actual);

// Return the limits as a report shows them, overlapping intervals merged.
LimitRanges ranges_of(const Limits& limits);

// Return the same as text: `10.49309`, `10.47309..10.49309`.
std::string text(const Limits& limits);

// Return the tolerance with its sides exchanged: what bounds the good direction of a one-sided tolerance.
Tolerance mirrored(const Tolerance& tolerance);

// Return the side that all bounds share, or `both`; constants count by their operator.
Bound::Side side_of(const Tolerance& tolerance);

// Return the largest deviation that the tolerance allows from a baseline value of that size; nothing where
// constants or `exact` alone decide.
std::optional<Number> allowance(const Tolerance& tolerance, const Number& baseline);

}  // namespace gate::judge
