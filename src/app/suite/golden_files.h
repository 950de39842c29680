// The golden files of a suite's outputs.
#pragma once

#include <string>
#include <vector>

#include "gate/app/suite.h"

namespace gate::app {

// Let golden files lie where baselines do: in the tree, or in the ref that judges it. Those in the folder
// that the stages share are found when it is known.
void place_golden_files(config::Settings& settings, const Suite& suite);

// Return the golden files of all outputs that lie in the suite, seen from its folder.
std::vector<std::string> golden_paths(const Suite& suite);

}  // namespace gate::app
