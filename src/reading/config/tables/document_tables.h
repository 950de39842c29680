// The tables of gate.toml beside those of cases: each read into what it says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/toml/toml_tree.h"
#include "config/toml/toml_values.h"
#include "gate/base/diagnostics.h"
#include "gate/base/result.h"
#include "gate/config/case_names.h"
#include "gate/config/host_settings.h"
#include "gate/config/policy.h"
#include "gate/config/receiver.h"
#include "gate/config/stores.h"
#include "gate/config/strategy.h"
#include "gate/config/training_flags.h"
#include "gate/config/worker.h"

namespace gate::config {

// Keys of [suite] and of [group.NAME] that are no settings.
struct SuiteValues {
  std::string name, platform, environment, history;
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

// Return what [worker] says; of what it does not say the table's built-in column. Mistakes are added: unknown
// keys and values that their types refuse.
WorkerSettings built_in_worker();
WorkerSettings read_worker(const TomlTree& table, Diagnostics& mistakes);

// Return the options and groups of [hosts]. Mistakes are added: values that the options refuse, a key near
// that of an option, names that groups or hosts cannot have, a host twice in a group or named as a group is.
HostSettings read_hosts(const TomlTree& table, Diagnostics& mistakes);

// Return the stores as the table says, what is not said as it is built in. Mistakes are added: unknown
// services and keys, values that their types refuse.
Stores read_stores(const TomlTree& table, Diagnostics& mistakes);

// Return the receivers of [notify] in the order of the file: what is not said of one is the table's built-in
// column. Mistakes are added: unknown keys, values that their types refuse, no kind, not one of url and
// url_env, a secret for a kind that signs nothing; no message shows an address or what could be a secret.
std::vector<Receiver> read_receivers(const TomlTree& table, Diagnostics& mistakes);

// Return the strategies of [strategy.NAME] tables, in the order of the file; one with a mistake is there,
// too. Mistakes are added: names that are none, unknown keys, stages that there are not, or that lack test or
// compare.
std::vector<Strategy> read_strategies(const TomlTree& table, Diagnostics& mistakes);

// Return the features that gate knows, and behind them those of the tables: one with the title of a known one
// takes its place. One with a mistake is there, too. Mistakes are added: unknown keys and kinds, words that
// are no flags or variables, a feature with neither.
std::vector<Feature> read_features(const TomlTree& table, Diagnostics& mistakes);

// Return the peaks of [peaks.PLATFORM] tables; one with a mistake is there, too, and means nothing. Mistakes
// are added: names that no type of number can have, values that are no positive numbers within 1e+-60.
Peaks read_peaks(const TomlTree& table, Diagnostics& mistakes);

}  // namespace gate::config
