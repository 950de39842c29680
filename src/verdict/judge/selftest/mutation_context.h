// One check and the good run that it passes: what a mutation starts from.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "gate/judge/selftest.h"
#include "gate/model/runs/extraction.h"
#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"
#include "judge/series/limits.h"
#include "judge/series/numeric_series.h"

namespace gate::judge {

struct MutationContext {
  const GuardedCase& guard;
  const RuleTarget& target;
  const Extraction& run;        // good
  ReferenceWindow reference;    // with the one variant that the run passes
  NumericSeries series;         // of the run, ranks combined
  std::int32_t quantum;         // exponent of the finest decimal that is printed
  bool tells_attempts = false;  // a log of the run would show where its next attempt begins

  const Rule& rule() const { return *target.rule; }
  bool is_error() const { return rule().reduce == Reduce::mean_relative_error; }
  bool by_time() const { return reference.numbered == Numbering::time; }

  // Return what the value at the number, or the reduced value, is held against; of a mean relative error the
  // share of each value that it allows.
  Intervals limits_at(std::int64_t number) const;
  Intervals limits() const;

  // Return the sides to which the metric's values must not go. Of a metric without a better side both, but
  // for constants alone: they say their direction themselves.
  std::vector<Bound::Side> bad_sides() const;
};

MutationContext make_context(const GuardedCase& guard, const RuleTarget& target, const Extraction& run);

// Return the run of the baseline with that index, as if its log had been read. Series that only constants are
// held against, and that no baseline has, are made up: each at its limit.
Extraction run_of(const GuardedCase& guard, const CheckPlan& plan, std::size_t index);

// Return the series, or the good run with each series of the target, with every sample replaced by what
// `edit` makes of it, or without it.
using Edit = std::function<std::optional<Sample>(const Series&, const Sample&)>;
Series edited(const Series& series, const Edit& edit);
Extraction edited(const MutationContext& context, const Edit& edit);

bool belongs(const Series& series, const RuleTarget& target);

// Return the good run with these values at these numbers, on every rank of the target.
using ChangedValues = std::map<std::int64_t, Decimal>;
Extraction with_values(const MutationContext& context, const ChangedValues& values);

struct GoodRun {
  Extraction run;
  Judgement judgement;
  bool tells_attempts = false;  // a log of it would show where the next attempt begins
};

// Ask the judge of a run that ended well. Waivers hold nothing.
Judgement ask_judge(const GuardedCase& guard, const Judge& judge, const Extraction& run,
                    const Reference& reference);

// Return the first of the baseline's runs that passes, else the first one, with what the judge says of it.
GoodRun good_run(const GuardedCase& guard, const CheckPlan& plan, const Judge& judge);

// Tell whether a log of one attempt says the same as the run, and would show where the next one begins.
bool tells_attempts(const GuardedCase& guard, const Extraction& run);

// Return the check that the target made, or nullptr.
const Check* find_check(const Judgement& judgement, const RuleTarget& target);

}  // namespace gate::judge
