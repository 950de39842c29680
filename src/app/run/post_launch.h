// What is done when a script has ended, before it is judged: what it leaves is kept or cleared away.
#pragma once

#include "app/run/launch_case.h"
#include "gate/launch/runner.h"

namespace gate::app {

// The folders of one launch.
struct LaunchFolders {
  fs::Path folder;          // of the case, or of a further try in it
  fs::FileTime launched{};  // when the launch began

  fs::Path scratch() const { return folder / "scratch"; }  // GATE_SCRATCH: gone after the script
  fs::Path log() const { return folder / "log.txt"; }
};

// Keep the evidence of a script that stood still (`evidence.txt`: its last lines by source, its processes)
// and its artifacts, and remove its scratch folder. Puts into `launched` the last line of the log, where
// things are, and what went wrong.
void clear_up(const LaunchContext& context, const PlannedCase& planned, const LaunchFolders& folders,
              const launch::Ending& ending, LaunchResult& launched);

}  // namespace gate::app
