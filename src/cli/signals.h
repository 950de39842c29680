// SIGINT and SIGTERM as a value to ask for.
#pragma once

#include <optional>

namespace gate::cli {

// From now on these signals are remembered instead of ending the program; SIGPIPE is ignored.
void catch_signals();

// Return the first signal that came, once there is one.
std::optional<int> caught_signal();

// Tell whether a second signal came: whoever sent it will not wait.
bool caught_twice();

}  // namespace gate::cli
