// What a script runs on, as its own processes and their files show it while it runs. Nothing is started for
// that: no Python, and no tool (decision 41).
#pragma once

#include <vector>

#include "gate/base/fs.h"
#include "gate/model/runs/fingerprint.h"
#include "launch/proc.h"

namespace gate::launch {

// Return what the Python process shows that has the most libraries in its memory, a rank and not its
// launcher; of several the first. Its files are read below its own root, so those of a container are. `proc`
// is /proc, or a folder that stands for it. Switches are those of the environment and command line of every
// process: the Python's first, which may have dropped what those that it descends from were started with.
// Of processes that this user may not look at nothing is known, and none but switches where none is a Python.
Fingerprint fingerprint_of(const fs::Path& proc, const std::vector<ProcEntry>& processes);

}  // namespace gate::launch
