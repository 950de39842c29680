// How the cases of a run are split into shards: the same on every host that sees the same suite. So no
// history is asked (decision 38).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/runs/shard.h"
#include "gate/suite/suite.h"

namespace gate::app {

// A case as work that somebody takes.
struct Share {
  std::string name;
  std::string platform;                   // that the case is for, as its setting says
  Duration expected{};                    // zero: unknown, taken to be the median of the others
  std::vector<std::string> predecessors;  // see predecessors_of()
};

// Return the number of each case's shard, from 1 on. The longest are dealt first, each to the shard that has
// least for its platform, then least in all; of those the first. Cases and their predecessors are
// dealt together. `shares` are sorted by name.
std::vector<int> deal(const std::vector<Share>& shares, int count);

// Return how long the case takes by the baselines of any platform, the longest: `wall_time`, else the time of
// all its steps. Zero: none says so.
Duration recorded_duration(const store::BaselineLayout& layout,
                           const std::vector<store::BaselinePlace>& places);

// Case -> number of its shard.
using ShardByCase = std::map<std::string, int>;

// Return what two splits have in common only if each case is in the same shard.
std::string split_sha256(const ShardByCase& split);

// Leave of the chosen cases and of the orphans, which are the first shard's, those of the shard. Returns the
// hash of the split.
std::string take_shard(const Suite& suite, const Shard& shard, std::vector<const config::Case*>& chosen,
                       std::vector<std::string>& orphans);

}  // namespace gate::app
