// What runs on the nodes of a launch, at the same time, and which of them are slower than the others.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/extract/extractor.h"
#include "gate/launch/runner.h"
#include "gate/places/place.h"

namespace gate::app {

// What came of all nodes.
struct NodesEnding {
  // The outcome is that of the node that failed first, else of node 0; the fingerprint is the first one seen.
  launch::Ending ending;
  std::optional<std::size_t> node = {};  // that failed first
  std::vector<std::string> hosts = {};   // on which a queue ran the nodes
  std::vector<std::string> places = {};  // likewise, with the devices: `n1 (0-3)`
};

// Sees the processes of all seats to their end, each in a thread of its own; `listener_of` says who hears of
// a node. As soon as one fails or cannot be started, the others are stopped. What is said of processes names
// the node; the longest duration counts.
class RunningSeats {
 public:
  using ListenerOf = std::function<launch::Listener(std::size_t node)>;

  RunningSeats(const std::vector<Seat>& seats, const launch::Limits& limits, const ListenerOf& listener_of,
               const Environment& environment)
      : seats_(seats),
        limits_(limits),
        listener_of_(listener_of),
        environment_(environment),
        endings_(seats.size()) {}

  NodesEnding see_to_end();

 private:
  void see_to_end(std::size_t node);
  launch::Listener listener(std::size_t node);
  void fail_with(std::size_t node, const Outcome& outcome);
  std::optional<Sentence> failed_elsewhere();  // how the first node that failed did
  NodesEnding merged();
  Sentence of_node(const Sentence& line, std::size_t node) const;
  void add(std::vector<Sentence>& all, const std::vector<Sentence>& lines, std::size_t node) const;
  Sentence end_of(std::size_t node) const;

  const std::vector<Seat>& seats_;
  const launch::Limits& limits_;
  const ListenerOf& listener_of_;
  const Environment& environment_;
  std::vector<launch::Ending> endings_;
  std::mutex mutex_;
  std::optional<std::size_t> failed_;
  Outcome outcome_;
};

// One node's own log.
struct NodeLogFile {
  std::string node;  // `node 1 on npu2`
  std::string file;
};

// Return a note for people on each node whose median time of a step, as its own log prints it, is more than a
// tenth above that of the quickest node: `node 1 on npu2 took 1.5 times as long for a step as node 0 on npu1:
// iteration_time 150 ms, 100 ms (medians of their own logs)`. Nothing where fewer than two logs print a time.
std::vector<Sentence> stragglers(const std::vector<NodeLogFile>& logs, const extract::Options& options);

}  // namespace gate::app
