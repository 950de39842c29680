#include "launch/process_tree.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "gate/base/text.h"
#include "launch/registry.h"

namespace gate::launch {

namespace {

const ProcEntry* find(const std::vector<ProcEntry>& all, pid_t pid) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const ProcEntry& p) { return p.pid == pid; });
  return found == all.end() ? nullptr : &*found;
}

// Tell whether the number still means the launcher's session: nobody else has got its pid.
bool holds_session(const ProcEntry& launcher, const std::vector<ProcEntry>& all) {
  const ProcEntry* holder = find(all, launcher.pid);
  return holder == nullptr || holder->start == launcher.start;
}

std::set<pid_t> sessions(const std::vector<ProcEntry>& all, const Marks& marks) {
  std::set<pid_t> result;
  for (const ProcEntry& launcher : marks.launchers)
    if (holds_session(launcher, all)) result.insert(launcher.pid);
  return result;
}

bool is_orphan(const ProcEntry& process, const Marks& marks) {
  return marks.orphans == Orphans::ours && process.start >= marks.orphans_since &&
         process.parent == marks.self.pid && process.session != marks.self.session &&
         !marks.not_orphans.contains(process.pid);
}

// Pids are given out anew from the lowest, so a child's may be the lower one.
bool is_older(const ProcEntry& a, const ProcEntry& b) {
  return a.start != b.start ? a.start < b.start : a.pid < b.pid;
}

// Move every candidate whose parent is a member to the members, until there is none.
void adopt_children(std::vector<ProcEntry>& members, std::vector<ProcEntry>& candidates) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto is_child = [parent = members[i].pid](const ProcEntry& p) { return p.parent == parent; };
    const auto strangers = std::stable_partition(candidates.begin(), candidates.end(), is_child);
    members.insert(members.end(), candidates.begin(), strangers);
    candidates.erase(candidates.begin(), strangers);
  }
}

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

std::vector<ProcEntry> members(const std::vector<ProcEntry>& all, const Marks& marks,
                               const std::function<bool(pid_t)>& carries_cookie) {
  if (marks.launchers.empty()) return {};
  const auto since = marks.launchers.front().start;
  const auto session_ids = sessions(all, marks);
  std::vector<ProcEntry> found;
  std::vector<ProcEntry> candidates;
  for (const ProcEntry& p : all) {
    if (p.pid == marks.self.pid || !is_alive(p)) continue;
    const bool orphan = is_orphan(p, marks);
    if (p.start < since && !orphan) continue;
    const bool marked = orphan || session_ids.contains(p.session) || session_ids.contains(p.pid);
    (marked || carries_cookie(p.pid) ? found : candidates).push_back(p);
  }
  adopt_children(found, candidates);
  std::sort(found.begin(), found.end(), is_older);
  return found;
}

std::vector<ProcEntry> descendants(const std::vector<ProcEntry>& all, pid_t ancestor) {
  std::vector<ProcEntry> found;
  std::vector<ProcEntry> candidates = all;
  if (const ProcEntry* self = find(all, ancestor)) found.push_back(*self);
  adopt_children(found, candidates);
  std::erase_if(found, [&](const ProcEntry& p) { return p.pid == ancestor || !is_alive(p); });
  return found;
}

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

ProcessTree::ProcessTree(std::string cookie) : cookie_(std::move(cookie)) {
  Registry::instance().enter_run();
}

ProcessTree::~ProcessTree() { Registry::instance().leave_run(); }

void ProcessTree::add(const ProcEntry& launcher) {
  launchers_.push_back(launcher);
  Registry::instance().note_start(launcher.start);
}

std::vector<ProcEntry> ProcessTree::alive() const {
  Registry& registry = Registry::instance();
  const auto all = all_processes();
  registry.reap_orphans();  // now, so that no zombie is left when none is alive
  const ProcEntry self{::getpid(), ::getppid(), ::getsid(0)};
  const bool reparents_to_us = self.pid != 1 && registry.is_only_run();
  const Marks marks{launchers_, registry.launchers(), reparents_to_us ? Orphans::ours : Orphans::of_others,
                    registry.first_start(), self};
  return members(all, marks, [this](pid_t pid) { return carries_cookie(pid, cookie_); });
}

bool ProcessTree::is_empty() const {
  if (!alive().empty()) return false;
  const Registry& registry = Registry::instance();
  return !registry.is_only_run() || !registry.has_children();
}

}  // namespace gate::launch
