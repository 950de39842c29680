// The table of the options of [hosts], and what the table holds: options and groups.
#pragma once

#include "config/toml/toml_tree.h"
#include "gate/config/hosts.h"

namespace gate::config {

// Return the options and groups of [hosts]. Mistakes are added: values that the options refuse, a key near
// that of an option, names that groups or hosts cannot have, a host twice in a group or named as a group is.
HostSettings read_hosts(const TomlTree& table, Diagnostics& mistakes);

}  // namespace gate::config
