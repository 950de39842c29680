// Two processes, so that a killed gate leaves nothing behind.
//
// KILL gives no time to stop a training that holds devices. So a command that launches is two processes: the
// one that was started becomes the guard, and its only child does the work. Both are child subreapers, so
// whichever is killed, what it launched falls to the other one, daemons without any mark included:
//
//   - the worker is killed: the guard gets all its descendants, sends TERM, and after two seconds KILL until
//     none is left;
//   - the guard is killed: the worker is sent TERM by the kernel, takes it as an interruption, and hurries
//     (`guard_is_gone`): every report is written.
//
// The worker has a process group of its own. A signal to the group that the shell knows, Ctrl-C included,
// reaches the guard alone, which passes it on.
#pragma once

#include <optional>

#include "gate/base/time.h"

namespace gate::launch {

// Split this process in two. Returns nothing in the worker, which goes on; returns the worker's exit code in
// the guard, once the worker and everything it launched have ended: 125 where the worker was killed, which is
// said on standard error. Where the system cannot fork, returns nothing, unguarded.
//
// To be called before any thread is started.
std::optional<int> guard();

// Keep the worker's open file open, with the locks on it, until the guard has ended as well: so until what a
// killed worker launched is stopped. Nothing happens where there is no guard.
void keep_open_with_guard(int descriptor);

// Tell, in the worker, whether its guard has been killed.
bool guard_is_gone();

// How long the descendants of a killed worker have between TERM and KILL.
inline constexpr Duration guard_patience{2000};

}  // namespace gate::launch
