// [strategy.NAME]: the keys of a strategy of tests, and what they may say.
#pragma once

#include <vector>

#include "config/toml/toml_tree.h"
#include "gate/config/strategy.h"

namespace gate::config {

// Return the strategies of [strategy.NAME] tables, in the order of the file; one with a mistake is there,
// too. Mistakes are added: names that are none, unknown keys, stages that there are not, or that lack test or
// compare.
std::vector<Strategy> read_strategies(const TomlTree& table, Diagnostics& mistakes);

}  // namespace gate::config
