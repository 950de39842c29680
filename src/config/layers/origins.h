// Where every value of a case comes from.
#pragma once

#include <vector>

#include "config/layers/layers.h"
#include "gate/config/policy.h"

namespace gate::config {

// Return one line for each setting in the order of the table, each variable, each key that a rule has (or
// that it is switched off), and each key that a layer gives to a metric.
std::vector<Origin> origins_of(const Merged& merged, const std::vector<Rule>& rules);

}  // namespace gate::config
