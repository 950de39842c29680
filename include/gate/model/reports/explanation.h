// What is behind the checks of a case: what `gate explain` found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/model/reports/report.h"

namespace gate {

// What was put side by side at one number. "" where there is nothing.
struct ExplainedValue {
  std::int64_t number = 0;
  std::string baseline;  // of several recorded runs their values, by commas
  std::string actual;    // of several runs likewise
  std::string delta;
};

struct Explained {
  Check check;
  std::vector<ExplainedValue> values;  // of the window; none where the series of the run were not kept
  std::vector<std::string> lines;      // quoted log lines, `FILE:LINE: text`
};

struct Explanation {
  CaseReport report;
  std::vector<Explained> checks;
  std::vector<Ungated> ungated;  // rules without a check that were asked for, and why
  std::string note;              // why the baseline's values are not told; "" where they are
};

}  // namespace gate
