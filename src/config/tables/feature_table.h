// [features."TITLE"]: features of trainings beside those that gate knows.
#pragma once

#include <vector>

#include "config/toml/toml_tree.h"
#include "gate/config/training_flags.h"

namespace gate::config {

// Return the features that gate knows, and behind them those of the tables: one with the title of a known one
// takes its place. One with a mistake is there, too. Mistakes are added: unknown keys and kinds, words that
// are no flags or variables, a feature with neither.
std::vector<Feature> read_features(const TomlTree& table, Diagnostics& mistakes);

}  // namespace gate::config
