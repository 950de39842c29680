// The table of a phase's keys: phase.NAME.KEY, with what each does to a Settings.
#pragma once

#include <string_view>

#include "config/toml/values.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"

namespace gate::config {

// The word for the baseline among those that a phase can be judged against: no phase is called so.
inline constexpr std::string_view against_baseline = "baseline";

// Return the names of phases, each once. Fails for one that is none: letters, digits, `_` and `-`.
Result<std::vector<std::string>> read_phases(const RawValue& raw);

// Assign the value of `NAME.KEY` or `NAME.env.VARIABLE`. Fails for a key that there is not, and as its type
// demands.
Status assign_phase(Settings& settings, std::string_view part, const RawValue& raw);

}  // namespace gate::config
