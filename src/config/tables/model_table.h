// The keys of `model.KEY`, and what each does to a Settings.
#pragma once

#include <string_view>

#include "config/toml/values.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"

namespace gate::config {

// Assign the value of `model.KEY`. Fails for a key that there is not, and as its type demands.
Status assign_model(Settings& settings, std::string_view key, const RawValue& raw);

}  // namespace gate::config
