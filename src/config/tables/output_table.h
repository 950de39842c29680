// The table of an output's keys: outputs.NAME.KEY, with what each does to a Settings.
#pragma once

#include <string_view>

#include "config/toml/values.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"

namespace gate::config {

// Assign the value of `NAME.KEY`. Fails for a name that none can have, for a key that there is not, and as
// its type demands.
Status assign_output(Settings& settings, std::string_view part, const RawValue& raw);

}  // namespace gate::config
