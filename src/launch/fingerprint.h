// What a script runs on, as its own processes and their files show it while it runs. Nothing is started for
// that: no Python, and no tool.
#pragma once

#include <sys/types.h>

#include <vector>

#include "gate/base/fs.h"
#include "gate/model/fingerprint.h"

namespace gate::launch {

// Return what the Python process shows that has the most libraries in its memory, a rank and not its
// launcher; of several the first. Its files are read below its own root, so those of a container are. `proc`
// is /proc, or a folder that stands for it. Nothing is known where no process is a Python that this user may
// look at.
Fingerprint fingerprint_of(const fs::Path& proc, const std::vector<pid_t>& processes);

}  // namespace gate::launch
