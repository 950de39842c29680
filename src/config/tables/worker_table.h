// The table of the keys of [worker].
#pragma once

#include "config/toml/toml_tree.h"
#include "gate/config/worker.h"

namespace gate::config {

// Return what [worker] says; of what it does not say the table's built-in column. Mistakes are added: unknown
// keys and values that their types refuse.
WorkerSettings built_in_worker();
WorkerSettings read_worker(const TomlTree& table, Diagnostics& mistakes);

}  // namespace gate::config
