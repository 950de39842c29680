// Commands of a case's stages, and the folder that all stages share.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gate/model/runs/stage.h"
#include "gate/places/launch_case.h"
#include "gate/places/shared_folders.h"

namespace gate::app {

// Where the folder of the stages has the engine's word for the job that runs the case.
inline constexpr const char* job_id_file = "job_id";

// Return what writes that word, told again and again, into that file; nothing of a case without stages.
std::function<void(const std::string&)> job_id_writer(const LaunchContext& context, const config::Case& spec);

// Return the folder that the stages of the case share, GATE_STAGES_DIR: that of --stages-folder, else
// `stages` in the case's folder of the run.
fs::Path stages_folder(const LaunchContext& context, const config::Case& spec);

// Return the place with `{case}`, `{run}`, `{test_id}` and `{baseline_id}` told in it, as a path: absolute,
// or seen from the suite's folder.
Result<fs::Path> told_place(const LaunchContext& context, const config::Case& spec, const std::string& place);

// Return the place with the same told in it: a path or a URL.
Result<std::string> told_text(const LaunchContext& context, const config::Case& spec, std::string place);

// Run the command of the stage to its end, in the folder where the case's script starts, with the script's
// variables and GATE_STAGE: before the test of a case that an engine runs as a job of it, else where gate
// runs. Its output is the stage's log. A stage before the script ends when somebody wants the case to end,
// and when `rest` of the run's time is up; one behind it only when they want it at once.
StageResult run_stage_command(const LaunchContext& context, const PlannedCase& planned, Stage stage,
                              std::optional<Duration> rest);

// Say in the report how the stages went. What outlived their commands is a problem of the case, once.
void put_stages(CaseReport& report, const std::vector<StageResult>& stages);

}  // namespace gate::app
