// What this process has launched, over all its runs. A subreaper cannot tell its own children from adopted
// ones, and must neither reap the launcher of another run nor take it for an orphan.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>

namespace gate::launch {

class Registry {
 public:
  static Registry& instance();

  // While there is a run, gate adopts orphans and the system keeps the exit statuses of its children.
  void enter_run();
  void leave_run();
  bool is_only_run() const;

  // Remember when the first launcher started since there was no run; 0 where none has.
  void note_start(std::uint64_t start);
  std::uint64_t first_start() const;

  // Start a child by calling `start_now`, and note it; nobody sees it in /proc as a stranger in between.
  // Returns what it returned.
  pid_t start(const std::function<pid_t()>& start_now);

  // Reap the launcher if it has ended, and forget it. Returns what waitid returned; si_pid is 0 while it
  // runs.
  int reap(pid_t launcher, siginfo_t& info);
  void forget(pid_t launcher);

  std::set<pid_t> launchers() const;

  // A tool is a child of gate's own while it is asked.
  void enter_tool();
  void leave_tool();

  // Tell whether this process has a child, alive or not yet reaped, that may be a script's: not where a tool
  // is asked meanwhile, for nobody can tell them apart then.
  bool has_children() const;

  // Reap adopted children that have ended, so that they do not pile up while the script runs.
  void reap_orphans();

 private:
  mutable std::mutex mutex_;
  std::set<pid_t> launchers_;
  int runs_ = 0;
  int tools_ = 0;
  std::uint64_t first_start_ = 0;
};

// While it lives, a tool is asked.
class ToolAsked {
 public:
  ToolAsked() { Registry::instance().enter_tool(); }
  ToolAsked(const ToolAsked&) = delete;
  ToolAsked& operator=(const ToolAsked&) = delete;
  ~ToolAsked() { Registry::instance().leave_tool(); }
};

}  // namespace gate::launch
