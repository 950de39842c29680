#include "gate/app/host.h"

#include <algorithm>
#include <cstdlib>

#include "gate/app/devices.h"
#include "gate/devices/idle.h"
#include "gate/launch/guard.h"
#include "gate/launch/tool.h"

namespace gate::app {

namespace {

// Only what the variable leaves, of each vendor.
std::vector<Device> usable(const std::vector<Device>& all) {
  std::vector<Device> left;
  for (auto it = all.begin(); it != all.end();) {
    const auto end =
        std::ranges::find_if(it, all.end(), [&](const Device& d) { return d.vendor != it->vendor; });
    std::vector<Device> of_vendor(it, end);
    const char* list = std::getenv(devices::selection_variable(it->vendor).c_str());
    if (list != nullptr) of_vendor = devices::visible(std::move(of_vendor), list);
    left.insert(left.end(), of_vendor.begin(), of_vendor.end());
    it = end;
  }
  return left;
}

}  // namespace

devices::Attached Host::inventory() {
  devices::Attached attached = devices::discover(
      facts().device_nodes, [this](const std::vector<std::string>& words) { return run_tool(words); });
  attached.devices = usable(attached.devices);
  return attached;
}

ToolAnswer LocalHost::run_tool(const std::vector<std::string>& words) {
  return launch::ask_tool(words, tool_limit_);
}

Result<launch::Ending> LocalHost::launch(const launch::Command& command, const launch::Limits& limits,
                                         const launch::Listener& listener) {
  return launch::run_command(command, limits, listener);
}

Result<devices::Leases> LocalHost::leases() {
  constexpr const char* shared_leases = "/tmp/gate-leases";
  const char* told = std::getenv("GATE_LEASE_DIR");
  return devices::Leases::open(told != nullptr && *told != '\0' ? told : shared_leases,
                               launch::keep_open_with_guard);
}

std::vector<launch::OpenFile> LocalHost::written_elsewhere(const std::string& cookie) {
  return launch::written_elsewhere(cookie);
}

Answer<DevicesSeen> list_devices(Host& host) {
  devices::Attached attached = host.inventory();
  const Result<devices::Leases> leases = host.leases();
  if (!leases) return infra(leases.error());
  DevicesSeen seen;
  seen.faults = std::move(attached.faults);
  for (Device& device : attached.devices) {
    const auto holder = leases->holder(devices::lease_of(device));
    seen.rows.push_back({device, devices::platform_of(device), holder ? to_string(*holder) : "",
                         devices::sickness(device).value_or(devices::occupation(device).value_or(""))});
  }
  return seen;
}

}  // namespace gate::app
