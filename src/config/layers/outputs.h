// What is said of a case's outputs, put together.
#pragma once

#include "config/layers/layers.h"

namespace gate::config {

// Report an output that check_output() refuses, and settings of the case under which none would be judged.
void check_outputs(const Merged& merged, Diagnostics& mistakes);

}  // namespace gate::config
