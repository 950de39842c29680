// A launch of a case as a job of a queue.
#pragma once

#include <memory>
#include <string>

#include "gate/hosts/job_engine.h"
#include "gate/places/place.h"

namespace gate::app {

// Return the place that hands the launches of cases to the engine.
std::unique_ptr<Place> queue_place(hosts::JobEngine& engine);

// Return the folder with gate-agent that the nodes of the case's jobs run; "" where they run none.
Result<fs::Path> agents_for(const Suite& suite, const PlannedCase& planned);

// Return the command of the stage: it starts where the case's script does, and has that one's variables.
// Scratch and folder of the launch are the folder of the stages; of the facts it is told no more than case,
// run, cookie and that folder. Fails as add_variables() does.
Result<launch::Command> stage_command(const PlannedCase& planned, const launch::ScriptFacts& facts,
                                      Stage stage);

// Return a job of the command of a stage: one of its own, of one node and without devices, which is like that
// of the case otherwise. The job's folder is made in that of the facts.
hosts::JobRequest stage_job_request(const PlannedCase& planned, const launch::ScriptFacts& facts, Stage stage,
                                    launch::Command command);

// Return what a run would submit for the case, for people; "" where no queue takes it.
std::string planned_job(const Suite& suite, const PlannedCase& planned, const RunOptions& options);

}  // namespace gate::app
