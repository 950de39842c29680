// The files of a run's folder that tell of it while it goes on.
#pragma once

#include "gate/base/fs.h"

namespace gate::store {

// What the run is doing: gate.status/1.
inline fs::Path status_file(const fs::Path& folder) { return folder / "status.json"; }

// What is asked of it: a line of gate.stop/1 for each request.
inline fs::Path stop_file(const fs::Path& folder) { return folder / "stop.jsonl"; }

}  // namespace gate::store
