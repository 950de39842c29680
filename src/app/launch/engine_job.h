// A launch of a case as a job of an engine.
#pragma once

#include <map>
#include <string>

#include "app/plan/run_plan.h"
#include "gate/hosts/engine.h"

namespace gate::app {

// What is said of a launch before it is one.
struct JobPlace {
  std::string run;                            // its id
  fs::Path run_folder;                        // absolute
  fs::Path folder;                            // of the launch, in it
  std::string cookie;                         // of node 0; the others have `.1`, `.2`, ... behind it
  fs::Path agents;                            // see hosts::JobRequest
  std::map<std::string, std::string> before;  // see launch::ScriptFacts
  std::string checkpoints = {};               // likewise
};

// Return what the case's engine is asked for. Fails where the launch command cannot be made.
Result<hosts::JobRequest> job_request(const Suite& suite, const PlannedCase& planned,
                                      const RunOptions& options, const JobPlace& place);

// Return what a run would submit for the case, for people; "" where no engine runs it.
std::string planned_job(const Suite& suite, const PlannedCase& planned, const RunOptions& options);

}  // namespace gate::app
