// The rules that hold where nobody says otherwise.
#pragma once

#include <vector>

#include "gate/model/rule.h"

namespace gate::judge {

// Return the built-in rules: lm_loss; throughput, tokens_per_second, samples_per_second, iteration_time (one
// group `speed`); memory_allocated, memory_max_allocated.
std::vector<Rule> built_in_rules();

}  // namespace gate::judge
