// Whose numbers a fresh candidate holds.
#pragma once

#include <string>

#include "gate/base/time.h"
#include "gate/model/baseline.h"
#include "gate/store/suite_folder.h"

namespace gate::app {

// Say of the candidate which place and which file it is of; nobody has accepted it yet.
void stamp(Baseline& candidate, const store::Place& place, const std::string& file, Moment now);

// Return why a golden file that holds null is not imported.
std::string null_refusal(const Baseline& baseline);

}  // namespace gate::app
