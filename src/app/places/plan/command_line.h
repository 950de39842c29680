// The words and the variables by which the script of a case is started.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "gate/places/run_options.h"
#include "gate/places/run_plan.h"

namespace gate::app {

// Return what a node of an engine tells its script itself: nobody else knows it before, or all pods of a job
// have the same words.
std::span<const char* const> variables_of_nodes(const PlannedCase& planned);

// Return the shell text that is run before the script: the case's setup, behind what makes the checkpoint
// that the phase goes on after the newest one.
std::string setup_of(const PlannedCase& planned);

// Put the case's own variables and those of its phase into those that gate gives each script. In a case of
// kind megatron they come behind those that Megatron's own runner gives (DATA_PATH, TENSORBOARD_PATH,
// CHECKPOINT_SAVE_PATH ...), and `${NAME}` in them is another variable. Fails for one that there is not.
Status add_variables(std::map<std::string, std::string>& env, const PlannedCase& planned);

// Return the words of `launch` with what stands in their holes, behind them ARGS, and the words of the phase
// and of a further run: they are split before a hole is filled, so that no path is ever split or read by a
// shell. `script` is as the host of the node sees it; `env` holds the script's variables. Fails for a
// variable that there is not.
Result<std::vector<std::string>> command_line(const PlannedCase& planned, const fs::Path& script,
                                              std::size_t node,
                                              const std::map<std::string, std::string>& env);

// Fails as the two above will, before anything is launched.
Status check_command(const PlannedCase& planned);

}  // namespace gate::app
