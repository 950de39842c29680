// What is said of a case's phases, put together.
#pragma once

#include "config/layers/layers.h"

namespace gate::config {

// Report what does not go together: a phase that `phases` does not name, one that is judged against itself or
// a later one, and a first one that is not judged against the baseline.
void check_phases(const Merged& merged, Diagnostics& mistakes);

}  // namespace gate::config
