// Words of the command line that set keys: `--set PATH=VALUE`, and flags that mean the same.
#pragma once

#include <span>

#include "config/layers/layers.h"
#include "gate/config/policy.h"

namespace gate::config {

// Return the entries of the overrides, validated. A path is a setting (`timeout`), a variable (`env.NAME`), a
// key of a rule or of a metric (`rules.lm_loss.tolerance`, where NAME may hold dots), or `rules.NAME` for
// true and false. Mistakes are added; their file is `--set PATH`, or the flag.
Layer read_overrides(std::span<const Override> overrides, Diagnostics& mistakes);

}  // namespace gate::config
