// `gate devices`: the accelerators of this host, and what is the matter with each.
#pragma once

#include <vector>

#include "gate/model/runs/device.h"
#include "gate/places/host.h"
#include "gate/places/hosts.h"
#include "gate/suite/answer.h"

namespace gate::app {

// Fails where the host's leases cannot be used.
Answer<DevicesSeen> list_devices(Host& host, const Cut& cut);

// Likewise of several hosts, in that order, all asked at once. A host that cannot be reached is a fault.
Answer<DevicesSeen> list_devices(const Hosts& hosts, const std::vector<int>& numbers, const Cut& cut);

}  // namespace gate::app
