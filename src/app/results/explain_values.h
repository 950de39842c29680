// The values behind the checks of a stored run.
#pragma once

#include <vector>

#include "gate/app/explain.h"
#include "gate/model/baseline.h"

namespace gate::app {

// The two sides of a case, derived metrics included.
struct Compared {
  std::vector<std::vector<Series>> runs;  // one, or those that --confirm judged together
  Reference reference;
};

// Return what the run kept, and the baseline as far as its files are those that it was judged against.
Compared what_was_compared(const Suite& suite, const CaseReport& report);

// Return the values at the numbers of the check's window; none for a check that combines ranks.
std::vector<ExplainedValue> compared_values(const Compared& compared, const Check& check);

}  // namespace gate::app
