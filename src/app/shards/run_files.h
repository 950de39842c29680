// The files of a case, where the folder of its run is now.
#pragma once

#include "gate/base/fs.h"
#include "gate/model/report.h"

namespace gate::app {

// Make the paths of the case lead into the folder of its run, which may have been moved to another place or
// host since: artifacts that are not there are left out; the file of a value that is not there is told from
// the case's folder on.
void find_files(CaseReport& report, const fs::Path& run_folder);

}  // namespace gate::app
