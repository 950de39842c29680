// The two sides of a stored run: what it kept, and what it was judged against.
#pragma once

#include <vector>

#include "gate/model/reports/report.h"
#include "gate/model/runs/baseline.h"
#include "gate/suite/suite.h"

namespace gate::app {

// The two sides of a case, derived metrics included.
struct Compared {
  std::vector<std::vector<Series>> runs;  // one, or those that --confirm judged together
  Reference reference;
};

// Return what the run kept, and the baseline as far as its files are those that it was judged against. Of a
// further phase of the case ("" is the first): what that kept, and against what the phase was judged.
Compared what_was_compared(const Suite& suite, const CaseReport& report, const std::string& phase = "");

}  // namespace gate::app
