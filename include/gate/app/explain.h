// `gate explain`: what is behind a check.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/suite.h"
#include "gate/model/report.h"

namespace gate::app {

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

// Whose judgement is explained: the one that made the verdict, or the second one, made for information.
enum class Whose { verdict, shadow };

// Return the checks of the case in the run ("" is the latest): all of them, or those of the rule or metric
// named. The values of the baseline are told only while its file is the one that the run was judged against.
Answer<Explanation> explain(const Suite& suite, const std::string& case_name, const std::string& check,
                            const std::string& run, Whose whose = Whose::verdict);

}  // namespace gate::app
