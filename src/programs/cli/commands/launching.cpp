#include "cli/commands/launching.h"

#include "cli/world/signals.h"
#include "cli/world/stores_reached.h"
#include "cli/world/world.h"
#include "gate/base/set_aside.h"
#include "gate/launch/guard.h"
#include "gate/places/output_places.h"

namespace gate::cli {

std::optional<int> guarded() {
  const std::optional<int> code = launch::guard();
  if (code) app::put_back_outputs(owner_of_asides());
  return code;
}

app::Environment launching_environment(app::Host& host, const app::Suite& suite, Sink sink) {
  app::Environment environment = environment_of(host, std::move(sink));
  environment.hosts =
      std::make_shared<app::Hosts>(host, app::ssh_connect(suite.policy.hosts(), tool_limit(), must_hurry));
  environment.queues = std::make_shared<app::Queues>(suite.policy.hosts(), tool_limit());
  environment.objects = object_places(
      suite, [] { return caught_signal().has_value(); }, must_hurry);
  return environment;
}

}  // namespace gate::cli
