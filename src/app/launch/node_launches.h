// The launches of a case on its nodes, at the same time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/app/host.h"
#include "gate/launch/runner.h"

namespace gate::app {

struct NodeLaunch {
  Host* host = nullptr;
  std::string name;  // `node 1 on npu2`; of the only node ""
  launch::Command command;
  hosts::EngineJob* job = nullptr;  // of which it is a node, where an engine runs it
};

// What came of all nodes.
struct NodesEnding {
  // The outcome is that of the node that failed first, else of node 0; the fingerprint is the first one seen.
  launch::Ending ending;
  std::optional<std::size_t> node;  // that failed first
  std::vector<std::string> hosts;   // on which an engine ran the nodes
  std::vector<std::string> places;  // likewise, with the devices: `n1 (0-3)`
};

// Start the command of each node on its host, and see all of them to their end. `listener_of` says who hears
// of a node. As soon as one fails or cannot be started, the others are stopped. What is said of processes
// names the node; the longest duration counts.
NodesEnding launch_nodes(const std::vector<NodeLaunch>& nodes, const launch::Limits& limits,
                         const std::function<launch::Listener(std::size_t node)>& listener_of);

}  // namespace gate::app
