// Folders that gate and what a case runs on both see: that of the case's stages, and the places of its
// outputs.
#pragma once

#include "gate/base/fs.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"
#include "gate/places/run_options.h"

namespace gate::app {

// Tell whether the case goes through stages: it says something of one, or is an accuracy test.
bool has_stages(const config::Case& spec);

// Return the folder that the stages of the case share, as gate and the nodes of an engine call it: that of
// --stages-folder, else `stages` in the case's folder of the run.
fs::Path stages_folder(const RunOptions& options, const fs::Path& run, const std::string& case_name);

// Fail where an engine runs the case, and what its nodes write for others would stay with them: the folder of
// its stages, or the file of an output. Of pods what lies below a volume that can be written to is seen; in
// Slurm the folders of suite, script, run and stages. The error says which folder it is, and what to do.
Status check_shared_folders(const fs::Path& suite, const RunOptions& options, const config::Case& spec);

}  // namespace gate::app
