// The table of a rule's keys with what each row does to a Rule.
#pragma once

#include <string>
#include <string_view>

#include "config/toml/values.h"
#include "gate/base/result.h"
#include "gate/model/rule.h"

namespace gate::config {

// Assign the value to the key (`tolerance`, `waive.until`). Fails as the key's type demands. The key is
// known.
Status assign_rule_key(Rule& rule, std::string_view key, const RawValue& raw);

// Return the key's value as a user would write it; "" where the rule has none.
std::string show_rule_key(const Rule& rule, std::string_view key);

}  // namespace gate::config
