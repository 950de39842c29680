// A checkout of Megatron-LM, as `gate init` finds it: its cases are folders with a model_config.yaml, and its
// recipes say which of them run where.
#pragma once

#include <span>
#include <string>

#include "gate/base/fs.h"
#include "gate/config/proposal.h"

namespace gate::app {

// Put into the proposal what the recipes say of the cases: nodes and devices, or a matrix where a case has
// several sizes; platforms, runs, time limit; environment, scope and cadence as tags; the training script and
// the folder of data. What no recipe says, and which cases gate does not run, is among what is not told.
void complete_megatron_tree(const fs::Path& folder, std::span<const std::string> cases,
                            config::Proposal& proposal);

}  // namespace gate::app
