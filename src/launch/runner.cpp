#include "gate/launch/runner.h"

#include "launch/command.h"
#include "launch/local_process.h"
#include "launch/supervise.h"

namespace gate::launch {

Result<Ending> run_command(const Command& command, const Limits& limits, const Listener& listener,
                           const Patience& patience) {
  Ending unstarted;
  if (auto why = unfit(command)) {
    unstarted.outcome = NotStarted{std::move(*why)};
    return unstarted;
  }
  LocalProcess process(command, patience.kill);
  const auto setup = command.setup.empty() ? Supervisor::Setup::none : Supervisor::Setup::first;
  const auto began = std::chrono::steady_clock::now();
  return supervise(process, limits, setup, patience, listener, [began] {
    return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - began);
  });
}

}  // namespace gate::launch
