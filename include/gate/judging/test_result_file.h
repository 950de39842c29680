// What a case came to, as test_result.json has it.
#pragma once

#include <optional>
#include <string>

#include "gate/config/accuracy_contract.h"
#include "gate/model/reports/report.h"
#include "gate/schema/accuracy_result.h"

namespace gate::app {

struct AccuracyResultInput {
  const CaseReport& report;
  const config::Case& spec;
  const std::optional<config::AccuracyContract>& contract;
  bool makes_baseline = false;
  std::string log;  // its name beside the result; "": there is none
};

// Return the result. Of a test that did not come to its end nothing but the log is told; `passed` is told
// where the output was compared, and of a baseline that was made.
schema::AccuracyResult accuracy_result(const AccuracyResultInput& input);

}  // namespace gate::app
