// A baseline beside the one that it takes the place of.
#pragma once

#include <string>

#include "gate/model/runs/baseline.h"

namespace gate::app {

// Return where its values are others, and how far the farthest of each metric moved: `lm_loss steps 8-14 +3
// %, grad_norm step 9 -0.2 %`; "" where none is. Of several runs the first counts.
std::string moved_values(const Baseline& before, const Baseline& after);

}  // namespace gate::app
