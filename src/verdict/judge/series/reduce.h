// From the values of a window to the one that is compared, and what can be said of it before all values are
// there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "gate/model/numbers/metric.h"
#include "gate/model/rules/rule.h"
#include "judge/series/limits.h"
#include "judge/series/number.h"
#include "judge/series/relative_errors.h"

namespace gate::judge {

struct ReduceRow {
  Reduce reduce;
  std::string_view doc;
  // Return the reduced value of at least one value in the order of their numbers; nothing where it is not
  // defined.
  std::optional<Number> (*apply)(std::span<const Number> values);
};

// Return all reduces; the rows of those side by side have no function.
std::span<const ReduceRow> reduces();

// Return the reduced value, or nothing where there is none: no values, a harmonic mean of values not above 0,
// a reduce side by side.
std::optional<Number> reduce(Reduce how, std::span<const Number> values);

// The values of a window so far.
//
// After k of n values with sum s, the mean of a metric that is never negative is at least s/n; under a
// declared cap U it is at most (s + (n-k)·U)/n. A maximum only rises, a minimum only falls; the
// sum of relative errors only rises, too. If even the most favourable rest leaves the value outside
// of every interval of the tolerance, the failure is certain: no later sample undoes it.
class PartialReduction {
 public:
  // Side by side with the baseline's value where relative errors are what is reduced.
  void add(const Number& value, const std::optional<Number>& baseline = std::nullopt);

  // Return the interval in which the rule's reduced value of `n` values will lie; unbounded where nothing is
  // known.
  Interval reachable(const Rule& rule, const Metric& metric, std::int64_t n) const;

 private:
  std::int64_t seen_ = 0;
  std::optional<Number> sum_, least_, most_;
  RelativeErrors errors_;
};

// Tell whether no value of the interval is within the limits.
bool out_of_reach(const Interval& reachable, const Intervals& limits);

}  // namespace gate::judge
