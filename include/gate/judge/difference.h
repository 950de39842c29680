// Two series of one metric side by side. Nothing is judged: it is told what differs, exactly.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/model/rule.h"
#include "gate/model/series.h"

namespace gate::judge {

// What stands at one number.
struct DifferentAt {
  std::int64_t number = 0;
  Value a, b;
  std::optional<Value> delta;  // b - a; none where either is no finite number
};

struct Difference {
  std::int64_t common = 0;              // numbers that both have, whatever the value
  std::int64_t equal = 0;               // of these, with equal values: 1.50 is 1.5, and nan is nan
  std::vector<std::int64_t> only_a;     // numbers that only one of them has
  std::vector<std::int64_t> only_b;     //
  std::optional<Value> mean_a;          // over the numbers at which both are finite; none without any
  std::optional<Value> mean_b;          //
  std::optional<Value> delta;           // of the means
  std::optional<double> delta_percent;  // three significant digits; none where the mean of a is 0
  std::optional<DifferentAt> first;     // the first number at which the values differ
  std::optional<DifferentAt> largest;   // the largest delta, the first of several
  std::string odd_a;  // `nan at 3; left out at 4-6`; "" where every value is a finite number
  std::string odd_b;

  // Tell whether both have the same numbers with equal values.
  bool same() const { return !first && only_a.empty() && only_b.empty(); }
};

// Return what differs. Of series by time, whose numbers meet by chance alone, only the means over all their
// values are told: `common`, `first` and `only_a` stay empty. Series that are numbered differently have
// nothing in common.
Difference difference_of(const Series& a, const Series& b);

// Where a rule would first miss, were `a` its baseline.
struct Beyond {
  std::string rule;
  std::string tolerance;
  DifferentAt at;
};

// Return the first number at which `b` is beyond the tolerance of a rule that holds each value of the metric
// against the baseline's, within the rule's window on `a`; nothing where there is none. Means and combined
// ranks have no such number.
std::optional<Beyond> first_beyond(std::span<const Rule> rules, const Series& a, const Series& b);

}  // namespace gate::judge
