#include "gate/app/devices.h"

#include <cstdlib>

#include "gate/devices/idle.h"
#include "gate/devices/leases.h"

namespace gate::app {

namespace {

constexpr const char* shared_folder = "/tmp/gate-leases";

std::string trouble_of(const Device& device) {
  const std::string sickness = devices::sickness(device);
  return sickness.empty() ? devices::occupation(device) : sickness;
}

}  // namespace

std::string lease_folder() {
  const char* told = std::getenv("GATE_LEASE_DIR");
  return told != nullptr && *told != '\0' ? told : shared_folder;
}

Answer<DevicesSeen> see_devices(Host& host) {
  devices::Attached attached = host.inventory();
  const Result<devices::Leases> leases = devices::Leases::open(lease_folder());
  if (!leases) return infra(leases.error());
  DevicesSeen seen;
  seen.faults = std::move(attached.faults);
  for (Device& device : attached.devices) {
    const auto holder = leases->holder(devices::lease_of(device));
    seen.rows.push_back(
        {device, devices::platform_of(device), holder ? to_string(*holder) : "", trouble_of(device)});
  }
  return seen;
}

}  // namespace gate::app
