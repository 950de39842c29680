// A process from its start to its end, as the Supervisor says.
#pragma once

#include "gate/launch/runner.h"
#include "launch/process.h"
#include "launch/supervisor.h"

namespace gate::launch {

// Start the process and see it to its end; hand its output to the listener, and stop it where a limit, the
// listener or a signal says so. `elapsed` returns the time since this was called.
Result<Ending> supervise(Process& process, const Limits& limits, Supervisor::Setup setup,
                         const Patience& patience, const Listener& listener,
                         const std::function<Duration()>& elapsed);

}  // namespace gate::launch
