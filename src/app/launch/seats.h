// What runs on the nodes of a launch, at the same time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/launch/place.h"
#include "gate/launch/runner.h"

namespace gate::app {

// What came of all nodes.
struct NodesEnding {
  // The outcome is that of the node that failed first, else of node 0; the fingerprint is the first one seen.
  launch::Ending ending;
  std::optional<std::size_t> node = {};  // that failed first
  std::vector<std::string> hosts = {};   // on which a queue ran the nodes
  std::vector<std::string> places = {};  // likewise, with the devices: `n1 (0-3)`
};

// See the processes of all seats to their end, each by a thread of its own, as `supervise` does. `listener_of`
// says who hears of a node. As soon as one fails or cannot be started, the others are stopped. What is said of
// processes names the node; the longest duration counts.
NodesEnding see_to_end(const std::vector<Seat>& seats, const launch::Limits& limits,
                       const std::function<launch::Listener(std::size_t node)>& listener_of,
                       const Environment& environment);

}  // namespace gate::app
