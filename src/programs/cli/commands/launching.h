// What a command that launches scripts does before it: a guard, and an environment that reaches their hosts.
#pragma once

#include <optional>

#include "gate/places/environment.h"
#include "gate/suite/suite.h"

namespace gate::cli {

// Put a guard around this process, so that nothing of a killed worker is left by the end of it. Returns
// nothing in the worker, which goes on; the exit code in the others, whose work is done (see launch/guard.h).
std::optional<int> guarded();

// Return the environment of scripts that are launched, on whichever hosts the suite names.
app::Environment launching_environment(app::Host& host, const app::Suite& suite, Sink sink);

}  // namespace gate::cli
