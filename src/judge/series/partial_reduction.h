// What can be said of a reduced value before all its values are there.
//
// After k of n values with sum s, the mean of a metric that is never negative is at least s/n; under a
// declared cap U it is at most (s + (n-k)·U)/n. A maximum only rises, a minimum only falls. Where even the
// most favourable rest leaves the value outside of every interval of the tolerance, the failure is certain:
// no later sample undoes it.
#pragma once

#include <cstdint>
#include <optional>

#include "gate/model/metric.h"
#include "gate/model/rule.h"
#include "judge/series/limits.h"

namespace gate::judge {

class PartialReduction {
 public:
  void see(const Number& value);

  // Return the interval in which the rule's reduced value of `n` values will lie; unbounded where nothing is
  // known.
  Interval reachable(const Rule& rule, const Metric& metric, std::int64_t n) const;

 private:
  Interval reachable_mean(const Rule& rule, const Metric& metric, std::int64_t n) const;

  std::int64_t seen_ = 0;
  std::optional<Number> sum_, least_, most_;
};

// Tell whether no value of the interval is within the limits.
bool out_of_reach(const Interval& reachable, const Limits& limits);

}  // namespace gate::judge
