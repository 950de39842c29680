#include "gate/app/place.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate::app {

namespace {

std::string vendor_of(const std::string& platform) { return platform.substr(0, platform.find('-')); }

std::string attached(const launch::HostFacts& facts) {
  std::string out;
  for (const auto& [vendor, count] : facts.device_nodes)
    out += (out.empty() ? "" : ", ") + count_of(count, vendor + " device node");
  return out.empty() ? "no accelerator" : out;
}

bool wants(const config::Settings& settings, const std::string& platform) {
  return settings.platform.empty() ||
         std::any_of(settings.platform.begin(), settings.platform.end(),
                     [&](const std::string& pattern) { return glob_match(pattern, platform); });
}

// Tell whether any pattern could mean a device of this vendor.
bool wants_vendor(const config::Settings& settings, const std::string& vendor) {
  return settings.platform.empty() ||
         std::any_of(settings.platform.begin(), settings.platform.end(),
                     [&](const std::string& pattern) { return glob_match(vendor_of(pattern), vendor); });
}

Placement skipped(Placement placement, std::string reason) {
  placement.kind = Placement::Kind::skipped;
  placement.reason = std::move(reason);
  return placement;
}

Placement infra(Placement placement, std::string reason) {
  placement.kind = Placement::Kind::infra;
  placement.reason = std::move(reason);
  return placement;
}

std::string needed(const config::Settings& settings) {
  std::string out = !settings.devices         ? "the devices of the host"
                    : *settings.devices == -1 ? "all devices"
                                              : count_of(*settings.devices, "device");
  if (!settings.platform.empty()) out += " of " + join(settings.platform, ", ");
  return "needs " + out;
}

// Devices are attached, and nobody said of which model they are.
Placement place_unknown(Placement placement, const config::Settings& settings, const HostPlatform& host) {
  const auto& nodes = host.facts.device_nodes;
  const bool vendor_wanted = std::any_of(
      nodes.begin(), nodes.end(), [&](const auto& node) { return wants_vendor(settings, node.first); });
  if (!vendor_wanted)
    return skipped(std::move(placement), needed(settings) + "; this host has " + attached(host.facts));
  return infra(std::move(placement),
               attached(host.facts) +
                   ", model unknown; say what they are: --platform, or platform under [suite] in gate.toml");
}

Placement place_on_devices(Placement placement, const config::Settings& settings, const HostPlatform& host) {
  const auto it = host.facts.device_nodes.find(vendor_of(host.platform));
  const int there = it == host.facts.device_nodes.end() ? 0 : it->second;
  const int wanted = settings.devices && *settings.devices >= 0 ? *settings.devices : std::max(1, there);
  if (wanted > there)
    return infra(std::move(placement), needed(settings) + "; the platform is " + host.platform +
                                           ", and this host has " + attached(host.facts));
  placement.device_count = wanted;
  placement.devices = std::to_string(wanted) + " x " + host.platform;
  return placement;
}

}  // namespace

HostPlatform host_platform(const launch::HostFacts& facts, const std::string& flag,
                           const std::string& suite) {
  const std::string told = flag.empty() ? suite : flag;
  if (!told.empty()) return {told, true, facts};
  return {facts.device_nodes.empty() ? "cpu" : "", false, facts};
}

Placement place(const config::Settings& settings, const HostPlatform& host) {
  Placement placement;
  const bool on_cpu = settings.devices == 0;
  placement.platform = on_cpu ? "cpu" : host.platform;
  placement.devices = "cpu";
  if (placement.platform.empty()) return place_unknown(std::move(placement), settings, host);
  if (!wants(settings, placement.platform))
    return skipped(std::move(placement), needed(settings) + "; this run's platform is " +
                                             (on_cpu ? std::string("cpu (devices=0)") : host.platform) +
                                             ", " + attached(host.facts) + " attached");
  if (on_cpu) return placement;
  if (placement.platform != "cpu") return place_on_devices(std::move(placement), settings, host);
  if (settings.devices && *settings.devices != 0)
    return skipped(std::move(placement), needed(settings) + "; " + attached(host.facts) + " is attached");
  return placement;
}

}  // namespace gate::app
