// `gate devices`: the accelerators of this host, and what is the matter with each.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/host.h"
#include "gate/devices/discover.h"
#include "gate/model/device.h"

namespace gate::app {

// Return the folder of leases: GATE_LEASE_DIR, or one that all users of the host share.
std::string lease_folder();

// Fails where the folder of leases cannot be used.
Answer<DevicesSeen> see_devices(Host& host);

}  // namespace gate::app
