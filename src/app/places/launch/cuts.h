// How long a launch waits for what its hosts are asked.
#pragma once

#include "gate/base/cut.h"
#include "gate/launch/runner.h"
#include "gate/places/launch_case.h"

namespace gate::app {

// Return that of what nobody waits for who is in a hurry.
Cut until_hurry(const LaunchContext& context, const PlannedCase& planned);

// Return that of what is asked behind the script, which has taken so long: until its limits are up, or a
// little longer where they are, or somebody is in a hurry.
Cut cut_behind(const LaunchContext& context, const PlannedCase& planned, const launch::Limits& limits,
               Duration taken);

}  // namespace gate::app
