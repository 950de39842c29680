// Where a launch goes. There are two kinds: machines, on which gate or its agent starts the script itself;
// and a queue, whose scheduler starts it as a job. Behind this door nobody asks which of them it is.
//
//   open      folders, containers, commands; the job's document   -> a seat for each node
//   wait      one turn: pending, ready, refused
//             each seat's process is seen to its end, all at the same time
//   close     containers are removed; of a job whatever may be left
//
// A fault's second start is open and wait once more, between two close.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gate/launch/process.h"
#include "gate/launch/script_environment.h"
#include "gate/launch/waiting.h"
#include "gate/places/environment.h"
#include "gate/places/launch_case.h"
#include "gate/places/node_files.h"

namespace gate::app {

// What runs on one node.
struct Seat {
  std::string name;  // `node 1 on npu2`; of the only node ""
  std::unique_ptr<NodeFiles> files;
  launch::Command command = {};
  std::unique_ptr<launch::Process> process = nullptr;
  bool begins_itself = false;  // as the node of a job does: it is seen to its end whatever the others do
};

// Return the files of the seats, each once: of nodes that share them, those of the first.
std::vector<NodeFiles*> distinct(std::vector<Seat>& seats);

// Return a cookie of the case for that launch or stage of it, another one at each call:
// `20261128-1a2b.train/a.1.176...`.
std::string new_cookie(const LaunchContext& context, const PlannedCase& planned, const std::string& what);

// One start of a case's script.
struct LaunchOrder {
  const LaunchContext& context;
  const PlannedCase& planned;
  const LaunchAttempt& attempt;
  const LaunchFolders& folders;

  // Return a cookie that no other start has, another one at each call.
  std::string cookie() const;

  // Return what its script is told wherever it runs.
  launch::ScriptFacts facts() const;
};

// Used by one thread.
class Place {
 public:
  virtual ~Place() = default;

  // Make the seats of the start, node 0 first; of a further start, give the seats of the one before new
  // processes. Fails where the place lacks what the case needs, and where a command cannot be made.
  virtual Status open(const LaunchOrder& order, std::vector<Seat>& seats, const Cut& cut) = 0;

  // Look whether the start can begin; once it can, each seat has its process.
  virtual launch::Waiting wait(std::vector<Seat>& /*seats*/) { return {}; }

  // Clear away what the start left at the place. Puts what may be left of it into the ending.
  virtual void close(const std::vector<Seat>& seats, launch::Ending& ending, const Cut& cut) = 0;

  // Return how the script ended, where the place knows better than its exit code.
  virtual Outcome outcome_of(Outcome outcome, const std::string& /*last_words*/) const { return outcome; }

  // Return the hosts that are known before: their names but for the one that gate runs on; what the first of
  // them has; who of them was there before gate; and the files that others than the cookie's write there.
  virtual std::vector<std::string> hosts() const { return {}; }
  virtual launch::HostFacts facts() const { return {}; }
  virtual std::function<bool(std::int64_t)> is_foreign() const { return nullptr; }
  virtual std::vector<launch::OpenFile> written_elsewhere(const std::string& /*cookie*/, const Cut&) {
    return {};
  }
};

// Return the place that the plan has for the case, with what was reserved there.
std::unique_ptr<Place> place_of(const LaunchContext& context, const PlannedCase& planned,
                                const Reservation& reservation);

// Return the queue that takes the case's jobs; nullptr where none does.
hosts::JobEngine* queue_of(const LaunchContext& context, const PlannedCase& planned);

inline const Hosts& hosts_in(const LaunchContext& context) { return *context.environment.hosts; }

}  // namespace gate::app
