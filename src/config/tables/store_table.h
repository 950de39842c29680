// The table of the keys of [store.s3] and [store.obs].
#pragma once

#include "config/toml/toml_tree.h"
#include "gate/base/diagnostics.h"
#include "gate/config/stores.h"

namespace gate::config {

// Return the stores as the table says, what is not said as it is built in. Mistakes are added: unknown
// services and keys, values that their types refuse.
Stores read_stores(const TomlTree& table, Diagnostics& mistakes);

}  // namespace gate::config
