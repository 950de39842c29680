// `gate explain`: what is behind a check.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"
#include "gate/model/report.h"

namespace gate::app {

struct Explained {
  Check check;
  std::vector<std::string> lines;  // quoted log lines, `FILE:LINE: text`
};

struct Explanation {
  CaseReport report;
  std::vector<Explained> checks;
};

// Return the checks of the case in the run ("" is the latest): all of them, or those of the rule or metric
// named.
Answer<Explanation> explain(const Suite& suite, const std::string& case_name, const std::string& check,
                            const std::string& run);

}  // namespace gate::app
