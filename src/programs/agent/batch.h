// A node of a job that an engine runs: the script, with gate at the other end of a folder.
#pragma once

#include <cstddef>

#include "gate/base/fs.h"

namespace gate::agent {

// Run what the job's folder says the node is to run; see hosts/job_folder.h. Returns the exit code of the
// agent: 0 also where the script failed, for that is told in the folder.
int run_node(const fs::Path& folder, std::size_t node);

}  // namespace gate::agent
