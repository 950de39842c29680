// The baseline side of one check: which numbers must be there, which are compared, and with what.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gate/model/numbers/series.h"
#include "judge/rules/plan.h"
#include "judge/series/numeric_series.h"

namespace gate::judge {

// A reference that a run can equal.
struct ReferenceVariant {
  NumericSeries series;           // per number; empty where no baseline is compared
  std::optional<Number> reduced;  // of the window; none with `each`
};

struct ReferenceWindow {
  Numbering numbered = Numbering::step;
  Front front = Front::first_of_run;     // of those that the baseline has
  std::vector<std::int64_t> required;    // every number that the baseline has
  std::vector<std::int64_t> window;      // those that are compared
  std::vector<std::int64_t> unrecorded;  // those that would be, had the baseline a value for what it names
  std::vector<NumericSeries> runs;       // the baseline's runs
  // Several runs make one reference, their mean. `exact` means equal to one and the same run: one variant
  // each.
  std::vector<ReferenceVariant> variants;
  std::optional<Remark> problem;  // why nothing can be compared; none where all is well

  bool in_window(std::int64_t number) const;
};

// Return the rule's reduced value of one run's series in the window, of a mean relative error against the
// reference's first variant; nothing with `each`, and where it is not defined.
std::optional<Number> reduced_value(const Rule& rule, const ReferenceWindow& reference,
                                    const NumericSeries& series);

// Return the baseline's value at the number where the rule's reduce takes both sides' together; else nothing.
std::optional<Number> paired_value(const Rule& rule, const NumericSeries& baseline, std::int64_t number);

// Return the reference window of a target that has references.
ReferenceWindow reference_window_of(const RuleTarget& target);

// Return the reference window of constants alone: the window is resolved on the run's own series.
ReferenceWindow open_reference_window(const RuleTarget& target, std::span<const Series* const> run);

// Return the exponent of the finest decimal of all values; of no values a very large one.
std::int32_t finest_exponent(std::span<const Series* const> series);

// Return all series of the target's baseline.
std::vector<const Series*> baseline_series(const RuleTarget& target);

// Tell whether the tolerance allows more than nothing, and nowhere in the window as much as the finest
// decimal: then "within" could only mean "equal".
bool too_fine(const Rule& rule, const ReferenceWindow& reference, std::int32_t finest);

}  // namespace gate::judge
