#include "gate/app/devices.h"

#include "gate/devices/idle.h"

namespace gate::app {

namespace {

std::string trouble_of(const Device& device) {
  return devices::sickness(device).value_or(devices::occupation(device).value_or(""));
}

}  // namespace

Answer<DevicesSeen> see_devices(Host& host) {
  devices::Attached attached = host.inventory();
  const Result<devices::Leases> leases = host.leases();
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
