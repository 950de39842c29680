// How many devices and nodes, and which port, a training script says that it uses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"

namespace gate::config {

// A number that stands in a script.
struct GivenCount {
  int number = 0;
  std::string variable;  // whose default it is, `N` of `${N:-16}`; "": it holds whatever the environment says
};

struct ScriptCounts {
  std::optional<int> devices;  // of a node
  std::optional<int> nodes;
  std::optional<int> port;                      // MASTER_PORT
  Sentence unclear;                             // why there are no devices; "" where there are
  std::optional<int> node_rank = std::nullopt;  // NODE_RANK
  bool has_local_master = false;                // MASTER_ADDR is this very host: localhost, 127.0.0.1
  // Each number of devices and of nodes that the words get, through variables, too, whose names gate does not
  // set.
  std::vector<GivenCount> all_devices = {}, all_nodes = {};
};

// Return the counts of `GPUS_PER_NODE=8`, `NPUS_PER_NODE=8`, `NPROC_PER_NODE=8`, `--nproc_per_node 8`, and
// `NNODES=2`, `--nnodes=2`, `MASTER_PORT=6000`, `--master_port 6000`; of `WORLD_SIZE=16`, a multiple of the
// nodes, where there is no other; and whether `NODE_RANK=0`, `--node_rank 0`, `MASTER_ADDR=localhost` or
// `--master_addr localhost` is written. Only numbers as they are written count: what a script computes, takes
// from its environment or says twice is unclear. Comments are not read; a flag whose value is a variable says
// nothing.
ScriptCounts read_script_counts(std::string_view script);

}  // namespace gate::config
