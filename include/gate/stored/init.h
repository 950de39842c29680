// `gate init`: a gate.toml for a folder that is there.
#pragma once

#include <string>

#include "gate/base/fs.h"
#include "gate/config/proposal.h"
#include "gate/suite/answer.h"
#include "gate/suite/dry_run.h"

namespace gate::app {

struct Init {
  std::string path;  // of gate.toml
  config::Proposal proposal;
  std::string toml;
};

// Write a gate.toml for the folder: a checkout of the ModelLink / MindSpeed family (tests/st), of Megatron-LM
// (tests/functional_tests), of FlagPerf (training), or any folder with scripts/*.sh. Fails (3) where anything
// is called gate.toml, a link that leads nowhere too, or nothing that it knows, (2) where the folder cannot
// be listed, and with all mistakes of the files of FlagPerf that say which cases and hosts there are. With a
// log any folder will do: metrics and rules for the numbers that the log prints come into the file. Fails,
// then, (2) where it cannot be read and (3) where no number has a name.
Answer<Init> init(const fs::Path& folder, DryRun dry_run, const std::string& log = "");

}  // namespace gate::app
