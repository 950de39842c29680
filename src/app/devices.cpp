#include "gate/app/devices.h"

#include <cstdlib>

#include "gate/devices/idle.h"
#include "gate/devices/leases.h"

namespace gate::app {

namespace {

constexpr const char* shared_folder = "/tmp/gate-leases";

// Only what the variable leaves, of each vendor.
std::vector<Device> usable(const std::vector<Device>& all) {
  std::vector<Device> left;
  for (auto it = all.begin(); it != all.end();) {
    const auto end =
        std::find_if(it, all.end(), [&](const Device& other) { return other.vendor != it->vendor; });
    std::vector<Device> of_vendor(it, end);
    const char* list = std::getenv(devices::selection_variable(it->vendor).c_str());
    if (list != nullptr) of_vendor = devices::visible(std::move(of_vendor), list);
    left.insert(left.end(), of_vendor.begin(), of_vendor.end());
    it = end;
  }
  return left;
}

std::string trouble_of(const Device& device) {
  const std::string sickness = devices::sickness(device);
  return sickness.empty() ? devices::occupation(device) : sickness;
}

}  // namespace

devices::Attached attached_devices(const Machine& machine) {
  devices::Attached attached = devices::discover(machine.host.device_nodes, machine.ask);
  attached.devices = usable(attached.devices);
  return attached;
}

std::string lease_folder() {
  const char* told = std::getenv("GATE_LEASE_DIR");
  return told != nullptr && *told != '\0' ? told : shared_folder;
}

Answer<DevicesSeen> see_devices(const Machine& machine) {
  devices::Attached attached = attached_devices(machine);
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
