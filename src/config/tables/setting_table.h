// The table of settings with what each row does to a Settings.
#pragma once

#include <string>
#include <string_view>

#include "config/toml/values.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"

namespace gate::config {

// Assign the value to the key (`timeout`; `env.NAME` for one variable). Fails as the key's type demands, and
// changes nothing then. The key is known.
Status assign_setting(Settings& settings, std::string_view key, const RawValue& raw);

// Tell whether `nodes` or `devices` is `2x8`, which says both: two nodes of eight devices each.
bool says_both(std::string_view key, const RawValue& raw);

// Return the settings of a case of which nobody says anything: the table's built-in column.
Settings built_in_settings();

// Return `auto`, `last`, `first` or a number from 1 on as an attempt. Fails with what was written and what to
// write.
Result<extract::AttemptChoice> read_attempt(const RawValue& raw);

// Tell whether the text can name a variable of the environment.
bool is_variable_name(std::string_view name);

}  // namespace gate::config
