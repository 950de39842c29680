// Whether a case can run on this host, and as which platform.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/config/policy.h"
#include "gate/devices/discover.h"

namespace gate::app {

// What runs on these hosts run on.
struct HostPlatform {
  std::string platform;  // `cpu`, `ascend-910b3`, ...; "" if nobody can tell what is attached
  bool told = false;     // by --platform or [suite] platform
  devices::Attached attached;
  std::vector<Device> devices =
      {};                     // that the told platform may mean; of the very platform if nobody told it
  int most_on_a_host = 0;     // that the host with most of them has
  bool is_rehearsed = false;  // what wants its devices runs as on it, and has none of them
};

// Return what runs on this host run on: what the flag says, else the suite, else the platform of most of the
// attached devices; `cpu` if none is attached and nothing speaks for one.
HostPlatform platform_of_host(devices::Attached attached, const std::string& flag, const std::string& suite);

struct Placement {
  enum class Kind { run, skipped, infra, unjudged };
  Kind kind = Kind::run;
  std::string platform;
  std::string devices;  // for reports: `cpu`, `8 x ascend-910b3`
  Shape shape;
  Sentence reason;                    // why not
  std::optional<int> rehearsed = {};  // of a rehearsal: how many devices it wants of a node, and has not

  // Return how many devices of a node the script is told that it has.
  int told_devices() const { return rehearsed.value_or(shape.devices); }
};

// Skipped if the platform pattern is not this run's, or devices are needed and the platform is told to be
// `cpu`; infra if devices should be there and are not, or cannot be told.
Placement place(const config::Settings& settings, const HostPlatform& host);

// Likewise in a queue, whose nodes and devices gate does not see: infra if nobody tells their platform, or
// how many devices the case needs.
Placement place_in_queue(const config::Settings& settings, const HostPlatform& told);

}  // namespace gate::app
