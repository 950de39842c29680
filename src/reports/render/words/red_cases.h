// The red cases of a report by their causes: which are told first, and which need no more than a line for
// all.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/report.h"

namespace gate::render {

struct RedCases {
  // What ended badly first, then what is not finite, then what stands apart from the suite, then the others;
  // those alike by name.
  std::vector<const CaseReport*> told;
  std::vector<const CaseReport*> moved;  // that are red for moving with the suite: all or, if few, none
  Sentence moved_line;                   // of these, `9 red cases moved with the rest, lm_loss +0.4 %`

  // Return all of them, those that moved with the suite last.
  std::vector<const CaseReport*> all() const;
};

// Point into the report.
RedCases red_cases(const Report& report);

// Tell whether the case stands apart in nothing, and whatever it failed by moved with the rest of the suite.
bool moved_with_suite(const Triage& triage, const CaseReport& one);

}  // namespace gate::render
