// [notify]: the receivers.
#pragma once

#include <vector>

#include "config/toml/tree.h"
#include "gate/config/receiver.h"

namespace gate::config {

// Return the receivers in the order of the file. Mistakes are added: unknown keys, values that their types
// refuse, no kind, not one of url and url_env, a secret for a kind that signs nothing.
std::vector<Receiver> read_receivers(const Tree& table, Diagnostics& mistakes);

}  // namespace gate::config
