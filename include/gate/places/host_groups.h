// Where the cases of a run are to run: groups of hosts that cases name alike, and queues.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/model/runs/backend.h"
#include "gate/places/environment.h"
#include "gate/places/placement.h"
#include "gate/suite/answer.h"
#include "gate/suite/suite.h"

namespace gate::app {

// Whether hosts are sent the git tree, where [hosts] sync says so: a plan that is only shown sends nothing.
enum class Sending { yes, no };

// Where a case is to run: in a queue, or on hosts, by the names that it says.
struct Whereabouts {
  std::optional<Backend> queue = {};
  std::vector<std::string> hosts;
  auto operator<=>(const Whereabouts&) const = default;
};

Whereabouts whereabouts(const Suite& suite, const config::Settings& settings);

// Where the launches of a case go: on some of gate's hosts, or into a queue.
struct PlannedPlace {
  std::vector<int> hosts = {0};  // that can be reached, ascending; of a queue none
  std::vector<int> lanes = {0};  // of the schedule: the same hosts, or the queue's number, below 0
  bool reserves = true;          // gate reserves devices, ports and hosts; else the queue finds all
  Sentence name = {};            // for people: `a node of Slurm`; "": that of its hosts
};

// Some hosts on which a case may run.
struct HostGroup {
  std::optional<Backend> queue = {};      // none of the hosts of gate's then
  std::vector<int> hosts = {};            // that can be reached, ascending
  std::vector<std::string> missing = {};  // why others cannot
  HostPlatform platform = {};

  PlannedPlace planned_place() const;

  // Return where the case runs: infra where too few of its hosts can be reached.
  Placement place(const config::Settings& settings) const;
};

using HostGroups = std::map<Whereabouts, HostGroup>;

// Connect to the hosts that the cases name, send what is to be sent, and ask what is attached to each, if any
// case of the whole run may use it: a shard's platform is that of all shards. `flag` is what --platform says.
Answer<HostGroups> find_hosts(const Suite& suite, const std::vector<const config::Case*>& cases,
                              const std::vector<const config::Case*>& of_all_shards, const std::string& flag,
                              Sending sending, Environment& environment);

}  // namespace gate::app
