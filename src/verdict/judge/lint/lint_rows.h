// What lint checks of single series.
#pragma once

#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judge/lint.h"
#include "judge/rules/plan.h"
#include "judge/rules/reference_window.h"

namespace gate::judge {

// What lint checks: the input, and the baseline side of every check.
struct Inspected {
  struct InspectedCheck {
    RuleTarget target;
    ReferenceWindow reference;
  };

  const LintInput& input;
  const CheckPlan& plan;
  std::vector<InspectedCheck> checks;
};

// A finding before it has its row.
struct Flaw {
  std::string metric;
  std::optional<int> rank;
  Sentence text;
};

using Flaws = std::vector<Flaw>;

// Of single series.
Flaws does_not_pass(const Inspected& inspected);
Flaws not_recorded(const Inspected& inspected);
Flaws few_values(const Inspected& inspected);
Flaws uneven_ranks(const Inspected& inspected);
Flaws all_zero(const Inspected& inspected);

// Of windows of kind speed.
Flaws stalls(const Inspected& inspected);
Flaws warm_up_in_window(const Inspected& inspected);

// Of the noise between runs.
Flaws noisy(const Inspected& inspected);
Flaws noise_unknown(const Inspected& inspected);

}  // namespace gate::judge
