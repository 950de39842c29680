// Folders in which trackers keep runs.
#pragma once

#include <string>
#include <vector>

namespace gate::extract {

// Whether the console's output that W&B keeps is read: not where the script's own output is.
enum class KeptConsole : bool { left_out, read };

// Remove from the paths what a tracker keeps beside a run's logs, and what repeats them otherwise:
//   W&B      where a folder holds a `*.wandb`: `files/` but, if it is read, the console `files/output.log`;
//   `logs/debug*`, `tmp/`,
//            and `debug*` in the folder above
//   MLflow   where a folder holds `meta.yaml` and `metrics/`: `artifacts/`, `inputs/`, `outputs/`, `params/`,
//            `tags/` and that file
// The paths are relative to one folder, and the order of those that stay is kept.
void leave_out_beside_runs(std::vector<std::string>& paths, KeptConsole console);

}  // namespace gate::extract
