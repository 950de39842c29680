// The golden files of a suite's outputs.
#pragma once

#include <string>
#include <vector>

#include "gate/suite/suite.h"

namespace gate::app {

// Let golden files lie where baselines do: in the tree, or in the ref that judges it. Those in the folder
// that the stages share are found when it is known.
void place_golden_files(config::Settings& settings, const Suite& suite);

// Return the golden files of the case's outputs that lie in the folder, seen from it, as its settings name
// them: with holes.
std::vector<std::string> golden_paths(const config::Case& spec, const fs::Path& folder);

// Return those that are there; for a hole all that may be meant.
std::vector<std::string> golden_files_in(const config::Case& spec, const fs::Path& folder);

}  // namespace gate::app
