#include "gate/launch/runner.h"

#include "launch/command.h"
#include "launch/launch.h"

namespace gate::launch {

Result<Ending> LocalRunner::run(const Job& job) {
  if (auto why = unfit(job)) return Ending{NotStarted{std::move(*why)}, {}, {}, {}, {}, {}};
  auto launch = Launch::prepare(job, patience_);
  if (!launch) return tl::unexpected(launch.error());
  return (*launch)->run();
}

}  // namespace gate::launch
