// Nodes that are slower than the others of their case.
#pragma once

#include <string>
#include <vector>

#include "gate/extract/extractor.h"

namespace gate::app {

// One node's own log.
struct NodeLogFile {
  std::string node;  // `node 1 on npu2`
  std::string file;
};

// Return a note for people on each node whose median time of a step, as its own log prints it, is more than a
// tenth above that of the quickest node: `node 1 on npu2 took 1.5 times as long for a step as node 0 on npu1:
// iteration_time 150 ms, 100 ms (medians of their own logs)`. Nothing where fewer than two logs print a time.
std::vector<std::string> stragglers(const std::vector<NodeLogFile>& logs, const extract::Options& options);

}  // namespace gate::app
