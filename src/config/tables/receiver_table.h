// The table of the keys of [notify.NAME], and the receivers that they describe.
#pragma once

#include <vector>

#include "config/toml/toml_tree.h"
#include "gate/config/receiver.h"

namespace gate::config {

// Return the receivers of [notify] in the order of the file: what is not said of one is the table's built-in
// column. Mistakes are added: unknown keys, values that their types refuse, no kind, not one of url and
// url_env, a secret for a kind that signs nothing; no message shows an address or what could be a secret.
std::vector<Receiver> read_receivers(const TomlTree& table, Diagnostics& mistakes);

}  // namespace gate::config
