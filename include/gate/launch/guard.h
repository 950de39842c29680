// Three processes, so that a killed gate leaves nothing behind.
//
// KILL gives no time to stop a training that holds devices. So a command that launches is a chain of three
// processes, each the parent of the next one: the reaper, which is the process that was started, the guard
// and the worker. All are child subreapers, so what the killed ones had launched falls to the one that is
// left, daemons without any mark included:
//
//   - the worker is killed, or the worker and one above it: the nearest one above it that lives gets all its
//     descendants, sends TERM, and after two seconds KILL until none is left;
//   - the reaper or the guard is killed, or both: the worker is sent TERM, takes it as an interruption, and
//     hurries (`guard_is_gone`): every report is written.
//
// Only all three killed leave what ignores TERM or cleared its environment. Whoever kills by name spares one
// of them: the reaper runs as `reaper`.
//
// The guard and the worker have process groups of their own. A signal to the group that the shell knows,
// Ctrl-C included, reaches the reaper alone. It is passed on down the chain; HUP is not where gate was
// started to ignore it (nohup).
#pragma once

#include <optional>

#include "gate/base/time.h"

namespace gate::launch {

// Split this process in three. Returns nothing in the worker, which goes on; ends the others, or returns
// their exit code, once the worker and everything it launched have ended: the worker's, or 125 where it was
// killed, and where the system cannot fork, which is said on standard error: nothing is to be started then.
//
// The process that was started executes gate anew: main is to call `reap` first. To be called before any
// thread is started.
std::optional<int> guard();

// Be the reaper where these are the arguments of one: returns its exit code. Returns nothing else.
std::optional<int> reap(int argc, const char* const* argv);

// Keep the worker's open file open, with the locks on it, until the guard and the reaper have ended as well:
// so until what a killed worker launched is stopped. Nothing happens where there is no guard.
void keep_open_with_guard(int descriptor);

// Tell, in the worker, whether its guard or its reaper has been killed.
bool guard_is_gone();

// How long the descendants of a killed worker have between TERM and KILL.
inline constexpr Duration guard_patience{2000};

// GATE_LAUNCH of a program that is to do its work when the worker has been killed, and ends by itself: it is
// asked to end, and not killed.
inline constexpr const char* last_will_cookie = "gate.last-will";

}  // namespace gate::launch
