// The table of settings with what each row does to a Settings.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "config/toml/raw_value.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"

namespace gate::config {

// Set the key (`timeout`; `env.NAME` for one variable) to the word. Fails as the key's type demands, and
// changes nothing then. The key is known.
Status set_setting(Settings& settings, std::string_view key, const RawValue& word);

// Return the settings of a case of which nobody says anything: the table's built-in column.
Settings built_in_settings();

}  // namespace gate::config
