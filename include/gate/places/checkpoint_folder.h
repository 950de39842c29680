// GATE_CHECKPOINT_DIR: the folder for checkpoints that all starts of a script in one run share. What stands
// in it is the script's: gate copies nothing of it, and removes it at the end of the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gate/base/sentence.h"
#include "gate/places/node_files.h"

namespace gate::app {

// What says which checkpoint in the folder is the newest: `latest_checkpointed_iteration.txt` of Megatron-LM
// and its kin, `latest` of DeepSpeed.
struct CheckpointTracker {
  std::optional<std::int64_t> step;  // none: there is no such file, or it names no step
  Sentence problem;                  // of one that is empty or torn; "": none
};

// Return what the folder's tracker says after a launch, as the launch's first node sees it.
CheckpointTracker read_tracker(const NodeFiles& node);

// Remove the folder of the launch on all its nodes, unless it is to be kept. Puts what could not be removed
// into the record.
void remove_checkpoints(const LaunchContext& context, const PlannedCase& planned,
                        const LaunchAttempt& attempt, LaunchRecord& record);

}  // namespace gate::app
