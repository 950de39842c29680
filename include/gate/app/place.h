// Whether a case can run on this host, and as which platform.
#pragma once

#include <string>

#include "gate/config/policy.h"
#include "gate/launch/host.h"

namespace gate::app {

struct HostPlatform {
  std::string platform;  // `cpu`, `ascend-910b3`, ...; "" where devices are attached whose model nobody told
  bool told = false;     // by --platform or [suite] platform
  launch::HostFacts facts;
};

// Return the platform of runs on this host: what the flag says, else the suite, else `cpu` where no device
// node exists.
HostPlatform host_platform(const launch::HostFacts& facts, const std::string& flag, const std::string& suite);

struct Placement {
  enum class Kind { run, skipped, infra };
  Kind kind = Kind::run;
  std::string platform;
  std::string devices;  // for reports: `cpu`, `8 x ascend-910b3`
  int device_count = 0;
  std::string reason;  // why not
};

// Skipped where the platform pattern is not this run's, or no accelerator of the wanted vendor is attached;
// infra where devices should be there and are not, or their model is unknown.
Placement place(const config::Settings& settings, const HostPlatform& host);

}  // namespace gate::app
