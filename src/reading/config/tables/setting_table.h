// The table of settings with what each row does to a Settings.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "config/toml/toml_values.h"
#include "gate/base/result.h"
#include "gate/config/policy.h"

namespace gate::config {

// Assign the value to the key (`timeout`; `env.NAME` for one variable). Fails as the key's type demands, and
// changes nothing then. The key is known.
Status assign_setting(Settings& settings, std::string_view key, const RawValue& raw);

// Put a variable into `env`: a text, a whole number or a bool. Fails for a name that no variable can have.
Status add_variable(std::map<std::string, std::string>& env, std::string_view name, const RawValue& raw);

// Settings that are told in parts, each with a key of its own: `env.NAME`, `needs.GLOB`, `devices.GLOB`,
// `phase.NAME.KEY`.
bool is_told_in_parts(std::string_view setting);

// Tell whether a table of the setting is one value: `further = { args = "--profile" }`.
bool is_one_value(std::string_view setting);

// Return `env` of `env.NAME`; of any other key the key itself.
std::string_view setting_of(std::string_view key);

// Return the key as layers have it: the part `any` of platforms is the setting itself.
std::string canonical_key(std::string_view key);

// Tell whether `nodes` or `devices`, of all platforms or of some, is `2x8`, which says both: two nodes of
// eight devices each.
bool says_both(std::string_view key, const RawValue& raw);

inline constexpr std::string_view any_platform = "any";  // where a glob of platforms may stand

// Return the settings of a case of which nobody says anything: the table's built-in column.
Settings built_in_settings();

// Return `auto`, `last`, `first` or a number from 1 on as an attempt. Fails with what was written and what to
// write.
Result<extract::AttemptChoice> read_attempt(const RawValue& raw);

}  // namespace gate::config
