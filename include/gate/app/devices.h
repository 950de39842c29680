// `gate devices`: the accelerators of this host, and what is the matter with each.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/host.h"
#include "gate/devices/discover.h"
#include "gate/model/device.h"

namespace gate::app {

// Fails where the host's leases cannot be used.
Answer<DevicesSeen> list_devices(Host& host);

}  // namespace gate::app
