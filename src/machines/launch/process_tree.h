// Every process that a launch brought into being.
//
// A script may double-fork, call setsid and clear its environment; no single mark finds all that it started.
// So a process belongs to the tree if any of these holds:
//
//   - it is a launcher, or in a launcher's session (a group lies within a session);
//   - its environment carries the cookie of the launch: daemons, however often they forked;
//   - it is an orphan that gate adopted as the child subreaper: a child of gate, outside of gate's session,
//     that gate did not start. While several runs go on nobody can tell whose it is; the last one takes it;
//   - its parent belongs to the tree.
//
// gate itself and what is older than the first launcher (of the runs side by side, for orphans) never belong
// to it: that guards against pids and sessions whose numbers were given out again, and spares the
// environments of most of the host's processes from being read.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "launch/proc.h"

namespace gate::launch {

enum class Orphans { ours, of_others };

// What the members of a tree are told by.
struct Marks {
  std::vector<ProcEntry> launchers;  // in the order of their start
  std::set<pid_t> not_orphans;       // children that gate started, of this run and others
  Orphans orphans = Orphans::ours;
  std::uint64_t orphans_since = 0;  // the first launch of the runs that went on side by side
  ProcEntry self;                   // gate
};

// Return the members among all processes that are alive, the oldest first: whoever stops them in this order
// leaves no parent that goes on because its child was stopped. `carries_cookie` is asked only where it
// matters.
std::vector<ProcEntry> members(const std::vector<ProcEntry>& all, const Marks& marks,
                               const std::function<bool(pid_t)>& carries_cookie);

// Return what is alive below the process: its children, their children, and so on.
std::vector<ProcEntry> descendants(const std::vector<ProcEntry>& all, pid_t ancestor);

// A process of a tree, with the content of its /proc/PID/environ.
struct RankedProcess {
  ProcEntry process;
  std::string environ;
};

// Return the processes of a tree that are those of a rank of the training, in the tree's order; none where no
// variable tells any, or none is of it. Launchers tell ranks by variables, torchrun by RANK: the first one of
// a table that any process of the tree has decides for all. What a rank starts inherits the variable, and is
// of the rank. A launcher may have it, too, as the node of a job: what has a process of another rank below it
// is none.
std::vector<ProcEntry> of_rank(const std::vector<RankedProcess>& tree, int rank);

// The tree of one run. Without /proc it is empty: gate then stops the launcher and its process group only.
class ProcessTree {
 public:
  explicit ProcessTree(std::string cookie);
  ProcessTree(const ProcessTree&) = delete;
  ProcessTree& operator=(const ProcessTree&) = delete;
  ~ProcessTree();

  void add(const ProcEntry& launcher);

  // Return the members that are alive now, and reap those that have ended.
  std::vector<ProcEntry> alive() const;

  // Tell whether nothing of the tree is left. A look at /proc takes longer than some processes live: a chain
  // of them, each forking the next one, may be seen by none. But each is a child of gate as soon as its
  // parent has ended, so where gate has no child at all, none is left (decision 7).
  bool is_empty() const;

 private:
  std::string cookie_;
  std::vector<ProcEntry> launchers_;
};

}  // namespace gate::launch
