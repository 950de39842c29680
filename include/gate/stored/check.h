// `gate check`: judge logs that exist.
#pragma once

#include <string>
#include <vector>

#include "gate/model/reports/report.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

struct CheckOptions {
  std::vector<std::string> logs;     // or one baseline or golden file in their place
  std::vector<std::string> phases;   // PHASE=LOG: the logs of the case's further phases
  std::vector<std::string> outputs;  // NAME=FILE: what the run left of the case's outputs
  std::string case_name;  // one of these two at least; both: the case's rules against that baseline
  std::string baseline;   // a baseline, another tool's golden file, or an older log
  std::string platform;
  std::vector<config::Override> overrides;
  bool charts = false;  // put charts and excerpts into the report, too
};

// Return the report of one case, of all its phases and outputs; one without a log or file makes it
// incomplete. Fails (2) for a phase or an output that it has not. A case with
// baselines of several platforms and none given is a usage failure that lists them.
Answer<Report> check(const Suite& suite, const CheckOptions& options, Moment now);

}  // namespace gate::app
