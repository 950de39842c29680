#include "launch/ranks.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include "gate/base/text.h"

namespace gate::launch {

namespace {

constexpr std::array<std::string_view, 8> rank_variables{
    "RANK",                  // torchrun, and who follows it
    "OMPI_COMM_WORLD_RANK",  // Open MPI
    "PMIX_RANK",             // PRRTE
    "PMI_RANK",              // MPICH, Intel MPI
    "MV2_COMM_WORLD_RANK",   // MVAPICH2
    "SLURM_PROCID",          // srun
    "RANK_ID",               // Ascend's own launchers
    "LOCAL_RANK",            // of a launcher that says no more; counted on each node
};

using RankByPid = std::map<pid_t, std::int64_t>;

RankByPid ranks_by(std::string_view variable, const std::vector<RankedProcess>& tree) {
  RankByPid ranks;
  for (const RankedProcess& one : tree)
    if (const auto rank = parse_integer(value_in(one.environ, variable))) ranks[one.process.pid] = *rank;
  return ranks;
}

// Add what is above the process in the tree; parents form no circle that a second look would not end.
void add_ancestors(pid_t pid, const std::map<pid_t, pid_t>& parents, std::vector<pid_t>& above) {
  for (auto it = parents.find(pid); it != parents.end(); it = parents.find(it->second)) {
    if (std::ranges::find(above, it->second) != above.end()) return;
    above.push_back(it->second);
  }
}

}  // namespace

std::vector<ProcEntry> of_rank(const std::vector<RankedProcess>& tree, int rank) {
  RankByPid ranks;
  for (const std::string_view variable : rank_variables)
    if (ranks.empty()) ranks = ranks_by(variable, tree);
  std::map<pid_t, pid_t> parents;
  for (const RankedProcess& one : tree) parents[one.process.pid] = one.process.parent;
  std::vector<pid_t> above_others;
  for (const auto& [pid, other] : ranks)
    if (other != rank) add_ancestors(pid, parents, above_others);
  std::vector<ProcEntry> found;
  for (const RankedProcess& one : tree) {
    const auto own = ranks.find(one.process.pid);
    const bool is_launcher = std::ranges::find(above_others, one.process.pid) != above_others.end();
    if (own != ranks.end() && own->second == rank && !is_launcher) found.push_back(one.process);
  }
  return found;
}

}  // namespace gate::launch
