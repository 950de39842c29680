// What the reaper and the guard have in common: each waits for the process below it, passes signals on to it,
// and stops what falls to it when that one is killed.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <optional>

namespace gate::launch {

// Block the signals that `wait_for` passes on: INT, TERM, QUIT, and HUP where it is not ignored; and those
// that tell of children. Returns the mask from before.
sigset_t block_watched_signals();

// Pass signals on to the child until it has ended: INT as INT, all others as TERM; where `passes` is there,
// those for which it returns true. Returns its wait status, having reaped it; nothing where there is no such
// child.
std::optional<int> wait_for(pid_t child, const std::function<bool(const siginfo_t&)>& passes = {});

// Return the exit code that the wait status of the process below stands for: its own, or 125 where it was
// killed, once all that has fallen to this process is stopped; that is said on standard error.
int end_with(int status);

}  // namespace gate::launch
