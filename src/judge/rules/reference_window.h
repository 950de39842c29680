// The baseline side of one check: which numbers must be there, which are compared, and with what.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/model/series.h"
#include "judge/rules/plan.h"
#include "judge/series/numeric_series.h"

namespace gate::judge {

// A reference that a run can equal.
struct Variant {
  NumericSeries line;             // per number; empty where no baseline is compared
  std::optional<Number> reduced;  // of the window; none with `each`
};

struct ReferenceWindow {
  Numbering numbered = Numbering::step;
  std::vector<std::int64_t> required;  // every number that the baseline has
  std::vector<std::int64_t> window;    // those that are compared
  std::vector<NumericSeries> runs;     // the baseline's runs
  // Several runs make one reference, their mean. `exact` means equal to one and the same run: one variant
  // each.
  std::vector<Variant> variants;
  std::optional<Remark> problem;  // why nothing can be compared; none where all is well

  bool in_window(std::int64_t number) const;
};

// Return the rule's reduced value of one run's line in the yardstick's window; nothing with `each`, and where
// it is not defined.
std::optional<Number> reduced_value(const Rule& rule, const ReferenceWindow& yardstick,
                                    const NumericSeries& line);

// Return the yardstick of a target that has references.
ReferenceWindow make_yardstick(const Target& target);

// Return the yardstick of constants alone: the window is resolved on the run's own series.
ReferenceWindow open_yardstick(const Target& target, std::span<const Series* const> run);

}  // namespace gate::judge
