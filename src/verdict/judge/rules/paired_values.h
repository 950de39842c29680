// The values of a run laid beside those of its baseline.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"
#include "judge/series/limits.h"
#include "judge/series/numeric_series.h"

namespace gate::judge {

// One value and what it was held against.
struct Deviation {
  std::int64_t number = 0;         // 0 for a reduced value
  std::optional<Number> baseline;  // none: constants
  Number actual;
  Intervals limits;
  std::uint32_t file = 0;
  std::uint32_t line = 0;

  bool out_of_bounds() const { return !within(limits, actual); }
};

struct WindowComparison {
  std::int64_t compared = 0;
  std::int64_t misses = 0;
  std::optional<Deviation> first;  // `each`: the first out of bounds
  // `each`: the largest deviation towards the side that the tolerance bounds, of those out of bounds if there
  // are any; else the reduced value. None where a window is not full.
  std::optional<Deviation> worst;
  // A window is not full, and no rest could bring its value within these.
  std::optional<Intervals> out_of_reach;
  std::optional<Remark> problem;  // the run's values have no reduced value

  // A window of which nothing is within bounds fails, however many misses are allowed.
  bool failed(const Rule& rule) const {
    const bool all_miss = misses > 0 && misses == compared;
    return out_of_reach || all_miss || misses > (rule.reduce == Reduce::each ? rule.max_misses : 0);
  }
};

// Compare the series of the run with the reference window, at the window's numbers that it has; several runs
// by their mean, at each number with `each`, else of their reduced values. Of several variants the one that
// the run is nearest to counts.
WindowComparison compare(const RuleTarget& target, const ReferenceWindow& reference,
                         std::span<const NumericSeries> runs);

}  // namespace gate::judge
