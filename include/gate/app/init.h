// `gate init`: a gate.toml for a folder that is there.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/dry_run.h"
#include "gate/app/environment.h"
#include "gate/base/fs.h"
#include "gate/config/proposal.h"

namespace gate::app {

struct Init {
  std::string path;  // of gate.toml
  config::Proposal proposal;
  std::string toml;
};

// What a command says of the suite that gate init wrote.
struct InitTrial {
  std::string command;            // `gate run --dry-run --platform nvidia-h100`
  std::string said;               // `115 to run, 1 unjudged, 217 skipped`
  std::vector<std::string> left;  // what is left to do, a line each
};

// Write a gate.toml for the folder: a checkout of the ModelLink / MindSpeed family (tests/st), of Megatron-LM
// (tests/functional_tests), of FlagPerf (training), or any folder with scripts/*.sh. Fails (3) where anything
// is called gate.toml, a link that leads nowhere too, or nothing that it knows, (2) where the folder cannot
// be listed, and with all mistakes of the files of FlagPerf that say which cases and hosts there are. With a
// log any folder will do: metrics and rules for the numbers that the log prints come into the file. Fails,
// then, (2) where it cannot be read and (3) where no number has a name.
Answer<Init> init(const fs::Path& folder, DryRun dry_run, const std::string& log = "");

// Return what list, import and a dry run, on each platform that most cases name, say of what init wrote.
// Writes nothing.
std::vector<InitTrial> try_out(const Init& init, Environment& environment);

}  // namespace gate::app
