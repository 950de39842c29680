// How a process tree is stopped.
//
// The launcher comes first and alone: scripts restore moved folders and stop their services in TERM traps,
// and a rank that dies under them would look like a crash. bash runs a trap only when its foreground child
// has ended, so a launcher that is still there after the grace gets its chance while the rest of the tree is
// asked to end. Then everything is killed, again and again: between a look at /proc and the KILL a process
// may have forked. One KILL to a group hits all of it at once, and no fork escapes that. A
// process that is stopped (SIGSTOP) is woken up to see its TERM. What KILL does not end within some time
// hangs in a driver or is another user's: that is said and not waited for.
#pragma once

#include <functional>
#include <vector>

#include "gate/launch/runner.h"
#include "launch/child.h"
#include "launch/tree.h"

namespace gate::launch {

class Stop {
 public:
  // `breathe` lets that much time pass while it reads the script's output; it may return early.
  Stop(const Tree& tree, const Patience& patience, std::function<bool()> hurried,
       std::function<void(Duration)> breathe);

  // TERM the launcher and wait until it has ended or the grace is over.
  void launcher(Child& child, Duration grace) const;

  // TERM all but the launcher, wait, KILL until none is left. Returns what would not end.
  std::vector<Process> rest(Child* launcher) const;

  // Wait for the tree to end by itself. Returns whether it did.
  bool settles(Duration limit) const;

 private:
  bool until(const std::function<bool()>& holds, Duration limit) const;

  const Tree& tree_;
  Patience patience_;
  std::function<bool()> hurried_;
  std::function<void(Duration)> breathe_;
};

// KILL the launcher (none: nullptr) and its tree until none is left, without reading output or calling
// anyone. Returns what would not end in that time.
std::vector<Process> kill_all(const Tree& tree, Child* launcher, Duration limit);

}  // namespace gate::launch
