// `gate init`: a gate.toml for a folder that is there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/base/fs.h"
#include "gate/config/proposal.h"
#include "gate/launch/host_facts.h"
#include "gate/model/reports/report.h"
#include "gate/model/runs/baseline.h"
#include "gate/suite/answer.h"
#include "gate/suite/dry_run.h"
#include "gate/suite/suite.h"

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
// then, (2) where it cannot be read and (3) where no number has a name. With a case the log is that of its
// first run, and what comes next is to accept what it measured.
Answer<Init> init(const fs::Path& folder, DryRun dry_run, const std::string& log = "",
                  const std::string& first_case = "");

// A case that a command becomes, `gate init NAME -- COMMAND...`: its script, not yet written.
struct FirstCase {
  SuiteOptions suite;               // how the suite is opened once the script is there
  std::string name = {};            // of the case
  fs::Path root = {};               // of the suite: the one that is there, else the folder
  std::string script = {};          // its path, below the root
  std::string text = {};            // what it says
  bool has_config = false;          // there is a gate.toml
  std::vector<fs::Path> made = {};  // what was written for it, the latest first: file and folders
};

// Return the case of the name that runs the command in the folder. Its words are quoted for the shell; ARGS
// of later runs follow them. On a host with accelerators the script says how many it needs. Fails (2) for a
// name that is no path of letters, digits, `.`, `_` and `-`, for a command that is one word with blanks and
// no file, and for mistakes of gate.toml, (3) where the script is there.
Answer<FirstCase> first_case(const SuiteOptions& where, const std::string& name,
                             const std::vector<std::string>& command, const launch::HostFacts& host);

// Write the script, and return the suite with it. Fails (3) where it is there by now, and where gate.toml
// makes no case of that name of it, (2) for the mistakes of the suite, (125) where it cannot be written. What
// was written by then is in `made`.
Answer<Suite> write_first_case(FirstCase& first);

// Return what comes next once the case was recorded: to accept it, and to run it again.
std::vector<config::NextCommand> first_run_next(const std::string& name);

// Remove what was written for the case; folders stay where somebody else put anything into them.
void take_back(const FirstCase& first);

// Write the candidate of a case that was recorded, as the suite's present rules read its log, and return it;
// nothing where no rule is on anything that the log prints. What the recording alone has seen stays: clocks,
// what it ran on. Fails (3) where a baseline of what the log prints would be refused.
Answer<std::optional<Baseline>> reread_candidate(const Suite& suite, const Report& recorded,
                                                 const std::string& name);

}  // namespace gate::app
