// Commands of a case's stages, and the folder that all stages share.
#pragma once

#include <string>

#include "app/launch/launch_case.h"
#include "gate/model/stage.h"

namespace gate::app {

// Tell whether the case goes through stages: it says something of one, or is an accuracy test.
bool has_stages(const config::Case& spec);

// Return the folder that the stages of the case share, GATE_STAGES_DIR: that of --stages-folder, else
// `stages` in the case's folder of the run.
fs::Path stages_folder(const LaunchContext& context, const config::Case& spec);

// Return the place with `{case}`, `{run}`, `{test_id}` and `{baseline_id}` told in it, as a path: absolute,
// or seen from the suite's folder.
Result<fs::Path> told_place(const LaunchContext& context, const config::Case& spec, const std::string& place);

// Return the place with the same told in it: a path or a URL.
Result<std::string> told_text(const LaunchContext& context, const config::Case& spec, std::string place);

// Run the command of the stage to its end, where gate runs, in the folder where the case's script starts,
// with the script's variables and GATE_STAGE. Its output is the stage's log. A stage before the script ends
// when somebody wants the case to end; one behind it only when they want it at once.
StageResult run_stage_command(const LaunchContext& context, const PlannedCase& planned, Stage stage);

}  // namespace gate::app
