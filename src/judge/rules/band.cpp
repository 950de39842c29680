#include "gate/judge/band.h"

#include <algorithm>

#include "judge/series/limits.h"

namespace gate::judge {

Band band_of(const Tolerance& tolerance, std::optional<double> baseline) {
  if (tolerance.any_of.empty() || (!baseline && needs_baseline(tolerance))) return {};
  const Limits limits = limits_of(tolerance, baseline ? std::optional(number(*baseline)) : std::nullopt);
  Band band;
  if (std::ranges::all_of(limits, [](const Interval& one) { return one.low.has_value(); }))
    for (const Interval& one : limits) band.low = std::min(band.low.value_or(1e308), to_double(*one.low));
  if (std::ranges::all_of(limits, [](const Interval& one) { return one.high.has_value(); }))
    for (const Interval& one : limits) band.high = std::max(band.high.value_or(-1e308), to_double(*one.high));
  return band;
}

}  // namespace gate::judge
