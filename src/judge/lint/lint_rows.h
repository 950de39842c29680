// The single looks that lint takes.
#pragma once

#include <string>
#include <vector>

#include "gate/judge/lint.h"
#include "judge/selftest/mutation_context.h"

namespace gate::judge {

// What lint looks at: the question, and the baseline side of every check.
struct Inspected {
  struct Held {
    Target target;
    ReferenceWindow yardstick;
  };

  const LintQuestion& question;
  const Plan& plan;
  std::vector<Held> checks;
};

// A finding before it has its row.
struct Flaw {
  std::string metric;
  std::optional<int> rank;
  std::string text;
};

using Flaws = std::vector<Flaw>;

// Of the whole baseline.
Flaws no_script(const Inspected& inspected);
Flaws not_guarded(const Inspected& inspected);
Flaws script_changed(const Inspected& inspected);
Flaws old(const Inspected& inspected);
Flaws not_accepted(const Inspected& inspected);
Flaws ended_early(const Inspected& inspected);
Flaws steps_assumed(const Inspected& inspected);

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
