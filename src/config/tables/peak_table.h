// [peaks]: what devices can do at most, by platform and by type of number.
#pragma once

#include "config/toml/toml_tree.h"
#include "gate/config/policy.h"

namespace gate::config {

// Return the peaks of [peaks.PLATFORM] tables; one with a mistake is there, too, and means nothing. Mistakes
// are added: names that no type of number can have, values that are no positive numbers within 1e+-60.
Peaks read_peaks(const TomlTree& table, Diagnostics& mistakes);

}  // namespace gate::config
