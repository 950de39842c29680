// The table of [suite]'s own keys with what each row does to the suite's values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/toml/values.h"
#include "gate/base/result.h"

namespace gate::config {

struct SuiteValues {
  std::string name, cases, baselines, launch, cwd, platform, environment, history, naming;
  int keep_runs = 0;
  bool shared = false;
  std::vector<std::string> secrets;
};

// Assign the value to the key. Fails as the key's type demands: templates may hold the placeholders that the
// table names. The key is known.
Status assign_suite_key(SuiteValues& suite, std::string_view key, const RawValue& raw);

// Return the values of a suite of which nobody says anything: the table's built-in column.
SuiteValues built_in_suite();

}  // namespace gate::config
