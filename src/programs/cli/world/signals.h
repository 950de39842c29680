// SIGINT, SIGTERM and SIGHUP as a value to ask for.
#pragma once

#include <optional>

namespace gate::cli {

// From now on these signals are remembered instead of ending the program: HUP, unless it was ignored before,
// as TERM; SIGPIPE is ignored.
void catch_signals();

// Return the first signal that came, once there is one.
std::optional<int> caught_signal();

// Tell whether stopping must not take its time any more: a second signal came from the same side (the guard
// passes on what it gets, so that one signal to all processes of gate comes twice), or the guard was killed
// two seconds ago.
bool must_hurry();

}  // namespace gate::cli
