// The variables that a case's script has on a node.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "app/launch/launch_case.h"
#include "app/launch/node_files.h"

namespace gate::app {

inline const Hosts& hosts_in(const LaunchContext& context) { return *context.environment.hosts; }

// Return the folder of the case's data as the host calls it; "" where the case has none.
std::string data_dir(const PlannedCase& planned, const Host& host);

// Return the variables of the script on the node: what gate tells it, the devices that were reserved for it
// there, and those of the case's settings. Fails as add_variables() does.
Result<std::map<std::string, std::string>> environment_of(const LaunchContext& context,
                                                          const PlannedCase& planned,
                                                          const LaunchAttempt& attempt,
                                                          const NodeFiles::Folders& folders,
                                                          const std::string& cookie, std::size_t node);

}  // namespace gate::app
