// `gate devices`: the accelerators of this host, and what is the matter with each.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/app/host.h"
#include "gate/devices/discover.h"

namespace gate::app {

struct DeviceRow {
  Device device;
  std::string platform;
  std::string holder;   // who has its lease; "" nobody
  std::string trouble;  // why no case would be started on it now, besides the lease; "" is nothing
};

struct DevicesSeen {
  std::vector<DeviceRow> rows;
  std::vector<devices::Fault> faults;
};

// Return the folder of leases: GATE_LEASE_DIR, or one that all users of the host share.
std::string lease_folder();

// Fails where the folder of leases cannot be used.
Answer<DevicesSeen> see_devices(Host& host);

}  // namespace gate::app
