// A launch that measures: what it printed is taken down, and held against no baseline.
#pragma once

#include <string>

#include "app/run/launch_case.h"

namespace gate::app {

// Return the launch's report without rules: passed where the script ended well, printed anything and the
// steps that it announced; else the verdict that says why not.
CaseReport measured_report(const PlannedCase& planned, const LaunchResult& launched,
                           const std::string& today);

}  // namespace gate::app
