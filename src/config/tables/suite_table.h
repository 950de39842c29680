// The tables of the keys of [suite] and of [group.NAME] that are no settings, with what each row does to
// their values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/toml/values.h"
#include "gate/base/result.h"
#include "gate/config/names.h"

namespace gate::config {

struct SuiteValues {
  std::string name, platform, environment, history, naming;
  CaseGroup group;          // what [suite] says of cases
  bool says_cases = false;  // and that it does
  int keep_runs = 0;
  bool shared = false;
  std::vector<std::string> secrets;
};

// Assign the value to the key. Fails as the key's type demands: templates may hold the placeholders that the
// table names. The key is known.
Status assign_suite_key(SuiteValues& suite, std::string_view key, const RawValue& raw);

// Assign the value to the key of a group. Fails likewise. The key is known.
Status assign_group_key(CaseGroup& group, std::string_view key, const RawValue& raw);

// Return the values of a suite of which nobody says anything: the table's built-in column.
SuiteValues built_in_suite();

}  // namespace gate::config
