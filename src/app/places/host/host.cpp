#include "gate/places/host.h"

#include <unistd.h>

#include <algorithm>

#include "gate/base/in_parallel.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/devices/idle.h"
#include "gate/devices/ports.h"
#include "gate/launch/guard.h"
#include "gate/launch/tool.h"
#include "gate/places/devices.h"

namespace gate::app {

namespace {

// Only what the variable leaves, of each vendor.
std::vector<Device> usable(const Host& host, const std::vector<Device>& all) {
  std::vector<Device> left;
  for (auto it = all.begin(); it != all.end();) {
    const auto end =
        std::ranges::find_if(it, all.end(), [&](const Device& d) { return d.vendor != it->vendor; });
    std::vector<Device> of_vendor(it, end);
    const std::optional<std::string> list = host.variable(devices::selection_variable(it->vendor));
    if (list) of_vendor = devices::visible(std::move(of_vendor), *list);
    left.insert(left.end(), of_vendor.begin(), of_vendor.end());
    it = end;
  }
  return left;
}

}  // namespace

devices::Attached Host::inventory(const Cut& cut) {
  devices::Attached attached = devices::discover(
      facts().device_nodes, [&](const std::vector<std::string>& words) { return run_tool(words, cut); });
  attached.devices = usable(*this, attached.devices);
  return attached;
}

ToolAnswer LocalHost::run_tool(const std::vector<std::string>& words, const Cut& cut) {
  return launch::ask_tool(words, cut.bounded(tool_limit_));
}

Result<std::unique_ptr<launch::Process>> LocalHost::process(launch::Command command, const Cut&) {
  return launch::local_process(std::move(command));
}

Result<std::unique_ptr<devices::Leases>> LocalHost::leases(const Cut&) {
  GATE_TRY(auto leases, devices::FolderLeases::open(devices::lease_folder(), launch::keep_open_with_guard));
  return std::make_unique<devices::FolderLeases>(std::move(leases));
}

std::optional<std::string> LocalHost::variable(const std::string& name) const {
  return variable_if_set(name.c_str());
}

std::optional<devices::HostUsage> Host::usage(const Cut& cut) {
  std::optional<devices::HostUsage> usage =
      devices::parse_host_usage(run_tool(devices::host_usage_command(), cut).output);
  if (!usage || !has_power_meter_) return usage;
  usage->power = devices::parse_power_meter(run_tool(devices::power_meter_command(), cut).output);
  has_power_meter_ = usage->power.has_value();
  return usage;
}

// Numbers rise from process to process, and begin again behind the largest one: at 300, as Linux has it.
std::function<bool(std::int64_t)> LocalHost::is_foreign() const {
  return [](std::int64_t process) {
    const Result<std::string> load = fs::read_file("/proc/loadavg");
    const auto newest = load ? parse_integer(split_words(*load).back()) : std::nullopt;
    if (!newest) return false;
    const std::int64_t self = ::getpid();
    constexpr std::int64_t begins_again = 300;
    const bool behind_self = process >= self, until_newest = process <= *newest;
    return !(self <= *newest ? behind_self && until_newest
                             : behind_self || (until_newest && process >= begins_again));
  };
}

bool LocalHost::is_port_free(int port, const Cut&) { return devices::is_free(port); }
Result<bool> LocalHost::exists(const fs::Path& path, const Cut&) { return fs::exists(path); }

std::vector<launch::OpenFile> LocalHost::written_elsewhere(const std::string& cookie, const Cut&) {
  return launch::written_elsewhere(cookie);
}

Answer<DevicesSeen> list_devices(Host& host, const Cut& cut) {
  devices::Attached attached = host.inventory(cut);
  GATE_TRY(const std::unique_ptr<devices::Leases> leases, or_infra(host.leases(cut)));
  DevicesSeen seen;
  seen.faults = std::move(attached.faults);
  for (Device& device : attached.devices) {
    const auto holder = leases->holder(devices::lease_of(device));
    seen.rows.push_back(
        {device, devices::platform_of(device), holder ? text(*holder) : Sentence(),
         devices::sickness(device).value_or(devices::occupation(device).value_or(Sentence()))});
  }
  return seen;
}

Answer<DevicesSeen> list_devices(const Hosts& hosts, const std::vector<int>& numbers, const Cut& cut) {
  std::vector<Answer<DevicesSeen>> all(numbers.size());
  in_parallel(numbers.size(), std::min(numbers.size(), most_hosts_at_once), [&](std::size_t i) {
    if (hosts.why_missing(numbers[i]).empty()) all[i] = list_devices(hosts.at(numbers[i]), cut);
  });
  DevicesSeen seen;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    GATE_TRY(const DevicesSeen there, std::move(all[i]));
    const std::string host = hosts.far_name(numbers[i]);
    for (DeviceRow row : there.rows) seen.rows.emplace_back(std::move(row)).host = host;
    for (DeviceFault fault : there.faults) seen.faults.emplace_back(std::move(fault)).host = host;
    if (const std::string& why = hosts.why_missing(numbers[i]); !why.empty())
      seen.faults.push_back({"", why, host});
  }
  return seen;
}

}  // namespace gate::app
