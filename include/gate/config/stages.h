// The stages of a case: [case."X".stages.NAME]. The test itself is the case's script; before and behind it
// commands, or gate itself, bring what it needs and take what it leaves.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/time.h"

namespace gate::config {

// What is said of one stage. Its command runs first, then what gate does itself.
struct CaseStage {
  std::vector<std::string> command;  // words, never a shell line; none: there is none
  Duration timeout = std::chrono::minutes(30);
  std::vector<std::string> from;  // of download: files and folders that are copied into the stages' folder
  std::string to;                 // of upload: the folder for result, log and outputs
  std::string baselines;          // of upload: likewise for the outputs of a run that makes a baseline
};

// By the stage's name.
using CaseStages = std::map<std::string, CaseStage>;

// Return the path that a `file:///` URL or a path means; fails for other URLs.
Result<std::string> path_of_place(std::string_view place);

}  // namespace gate::config
