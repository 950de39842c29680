// One check and the good run that it passes: what a mutation starts from.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/judge/selftest.h"
#include "gate/model/extraction.h"
#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"
#include "judge/series/limits.h"
#include "judge/series/numeric_series.h"

namespace gate::judge {

struct MutationContext {
  const Guard& guard;
  const Target& target;
  const Extraction& run;        // good
  ReferenceWindow yardstick;    // with the one variant that the run passes
  NumericSeries line;           // of the run, ranks combined
  std::int32_t quantum;         // exponent of the finest decimal that is printed
  bool tells_attempts = false;  // a log of the run would show where its next attempt begins

  const Rule& rule() const { return *target.rule; }
  bool by_time() const { return yardstick.numbered == Numbering::time; }

  // Return what the value at the number, or the reduced value, is held against.
  Limits limits_at(std::int64_t number) const;
  Limits limits() const;

  // Return the sides to which the metric's values must not go. Of a metric without a better side both, but
  // for constants alone: they say their direction themselves.
  std::vector<Bound::Side> bad_sides() const;
};

MutationContext make_scene(const Guard& guard, const Target& target, const Extraction& run);

// Return the run of the baseline with that index, as if its log had been read. Series that only constants are
// held against, and that no baseline has, are made up: each at its limit.
Extraction run_of(const Guard& guard, const Plan& plan, std::size_t index);

// Return the series, or the good run with each series of the target, with every sample replaced by what
// `edit` makes of it, or without it.
using Edit = std::function<std::optional<Sample>(const Series&, const Sample&)>;
Series edited(const Series& series, const Edit& edit);
Extraction edited(const MutationContext& scene, const Edit& edit);

bool belongs(const Series& series, const Target& target);

// Return the good run with these values at these numbers, on every rank of the target.
using Values = std::map<std::int64_t, Decimal>;
Extraction with_values(const MutationContext& scene, const Values& values);

}  // namespace gate::judge
