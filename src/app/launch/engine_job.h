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
  std::string stages = {};                    // likewise
};

// Return what the case's engine is asked for. Fails where the launch command cannot be made.
Result<hosts::JobRequest> job_request(const Suite& suite, const PlannedCase& planned,
                                      const RunOptions& options, const JobPlace& place);

// Return what the case's engine is asked for to run the command of the stage: a job of its own, of one node
// and without devices, which is like that of the case otherwise. place.folder is that in which the job's
// folder is made. Fails where a variable of the case cannot be made.
Result<hosts::JobRequest> stage_job_request(const PlannedCase& planned, const JobPlace& place, Stage stage);

// Return the variables of a command of the stage: those of the script, and which stage it is. Scratch and
// folder of the launch are the folder of the stages. Fails as add_variables() does.
Result<std::map<std::string, std::string>> stage_environment(const PlannedCase& planned,
                                                             const JobPlace& place, Stage stage);

// Return what a run would submit for the case, for people; "" where no engine runs it.
std::string planned_job(const Suite& suite, const PlannedCase& planned, const RunOptions& options);

}  // namespace gate::app
