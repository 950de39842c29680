// The table of a stage's keys: stages.NAME.KEY, with what each does to a Settings.
#pragma once

#include <string_view>

#include "config/toml/values.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"

namespace gate::config {

// Assign the value of `NAME.KEY`. Fails for a stage that there is not, for a key that this stage does not
// have, and as its type demands.
Status assign_stage(Settings& settings, std::string_view part, const RawValue& raw);

}  // namespace gate::config
