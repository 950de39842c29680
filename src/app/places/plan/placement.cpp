#include "gate/places/placement.h"

#include <algorithm>
#include <map>
#include <optional>

#include "gate/base/text.h"

namespace gate::app {

namespace {

std::map<std::string, std::int64_t> counts_by_platform(const devices::Attached& attached) {
  std::map<std::string, std::int64_t> counts;
  for (const Device& device : attached.devices) ++counts[devices::platform_of(device)];
  return counts;
}

// The platform of most devices; "" if nobody can tell.
std::string most_frequent(const devices::Attached& attached) {
  const auto counts = counts_by_platform(attached);
  const auto most = std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; });
  if (most != counts.end()) return most->first;
  return attached.faults.empty() ? "cpu" : "";
}

// Tell whether the longer name is the other one, and more: `ascend-910b3` of `ascend-910b`,
// `nvidia-a100-pool` of `nvidia-a100`, which is no `nvidia-a10`. Of some 910 the tool prints no letter.
bool is_more_of(std::string_view name, std::string_view longer) {
  if (!longer.starts_with(name) || name.empty() || longer == name) return longer == name;
  const auto is_digit = [](char c) { return '0' <= c && c <= '9'; };
  const char next = longer[name.size()];
  return next == '-' || (is_digit(next) ? !is_digit(name.back()) : name == "ascend-910");
}

// Tell whether a platform that is told may be this device's. One without a number names no model:
// `nvidia-any`.
bool may_mean(const std::string& platform, const Device& device) {
  const std::string own = devices::platform_of(device);
  if (devices::vendor_of(platform) != device.vendor) return false;
  const bool has_model = own != device.vendor && platform.find_first_of("0123456789") != platform.npos;
  return !has_model || is_more_of(platform, own) || is_more_of(own, platform);
}

Sentence attached_words(const devices::Attached& attached) {
  std::vector<Sentence> words;
  for (const auto& [platform, count] : counts_by_platform(attached))
    words.push_back(say({"{} x {}", "{} x {}"}, count, platform));
  for (const DeviceFault& fault : attached.faults) words.push_back(fault.text);
  return words.empty() ? say({"no accelerator", "没有加速卡"}) : join(words, semicolon);
}

// Return `2 nodes, each `; "" for one.
std::string nodes_words(int nodes) { return nodes == 1 ? "" : count_of(nodes, "node") + ", each "; }

// Tell whether any pattern could mean a device of this vendor.
bool wants_vendor(const config::Settings& settings, const std::string& vendor) {
  return settings.platform.empty() || std::ranges::any_of(settings.platform, [&](const std::string& pattern) {
           return glob_match(devices::vendor_of(pattern), vendor);
         });
}

Placement refused_placement(Placement placement, Placement::Kind kind, Sentence reason) {
  placement.kind = kind;
  placement.reason = std::move(reason);
  return placement;
}

Sentence needed(const config::Settings& settings, const std::string& platform) {
  const std::optional<int> devices = config::size_on(settings, platform).devices;
  const Sentence what = !devices         ? say({"the devices of the host", "主机的设备"})
                        : *devices == -1 ? say({"all devices", "全部设备"})
                                         : count_of(*devices, "device", "个设备");
  if (settings.platform.empty())
    return say({"needs {}", "需要{}"}, devices.value_or(-1) < 0 ? what : Sentence("", " ") + what);
  return say({"needs {} of {}", "需要 {1} 的{0}"}, devices.value_or(-1) < 0 ? what : Sentence("", " ") + what,
             join(settings.platform, ", "));
}

Sentence here(const HostPlatform& host) {
  return say({"; this host: {}", "；这台主机：{}"}, attached_words(host.attached));
}

Sentence needed_on(const config::Settings& settings, const std::string& platform, const std::string& run) {
  return say({"{}; this run's platform is {}", "{}；这次运行的平台是 {}"}, needed(settings, platform), run);
}

// Tell whether what the case wants may be what cannot be told.
bool fault_is_wanted(const config::Settings& settings, const HostPlatform& host) {
  return std::ranges::any_of(host.attached.faults,
                             [&](const DeviceFault& fault) { return wants_vendor(settings, fault.vendor); });
}

Sentence none_meant() {
  return say({"; where no accelerator is meant: --platform cpu, or devices=0",
              "；如果不用加速卡：--platform cpu，或 devices=0"});
}

// Something is attached, and nobody can tell what.
Placement place_unknown(Placement placement, const config::Settings& settings, const HostPlatform& host) {
  if (!fault_is_wanted(settings, host))
    return refused_placement(std::move(placement), Placement::Kind::skipped,
                             needed(settings, host.platform) + here(host));
  return refused_placement(std::move(placement), Placement::Kind::infra,
                           attached_words(host.attached) + none_meant());
}

// As with its devices, and without any.
Placement place_rehearsed(Placement placement, int nodes, int wanted) {
  placement.rehearsed = wanted;
  placement.devices =
      nodes_words(nodes) + "0 of " + std::to_string(wanted) + " x " + placement.platform + ": a rehearsal";
  return placement;
}

// The devices that the case names, or so many, or all.
Placement place_on_devices(Placement placement, const config::Settings& settings, const HostPlatform& host) {
  const int there = host.most_on_a_host;
  const config::Size size = config::size_on(settings, host.platform);
  const int wanted = size.devices && *size.devices >= 0 ? *size.devices : std::max(1, there);
  if (host.is_rehearsed) return place_rehearsed(std::move(placement), size.nodes, wanted);
  // What a hub asks for and no such host has, no later try gets.
  const bool is_asked_too_much = settings.accuracy_test && there > 0 && host.attached.faults.empty();
  if (wanted > there)
    return refused_placement(
        std::move(placement), is_asked_too_much ? Placement::Kind::unjudged : Placement::Kind::infra,
        say({"{}; the platform is {}", "{}；平台是 {}"}, needed(settings, host.platform), host.platform) +
            (host.attached.faults.empty()
                 ? say({", and this host has {}", "，而这台主机有 {}"}, attached_words(host.attached))
                 : here(host)));
  for (const std::string& index : size.device_list)
    if (std::ranges::none_of(host.devices, [&](const Device& d) { return std::to_string(d.index) == index; }))
      return refused_placement(
          std::move(placement), Placement::Kind::infra,
          say({"needs device {}; there is none of that number among {}", "需要设备 {}；{} 里没有这个编号"},
              index, attached_words(host.attached)));
  placement.shape.devices = wanted;
  placement.devices = nodes_words(size.nodes) + std::to_string(wanted) + " x " + host.platform;
  return placement;
}

}  // namespace

HostPlatform platform_of_host(devices::Attached attached, const std::string& flag, const std::string& suite) {
  const std::string told = flag.empty() ? suite : flag;
  HostPlatform host{told.empty() ? most_frequent(attached) : told, !told.empty(), std::move(attached)};
  std::map<int, int> counts;
  for (const Device& device : host.attached.devices) {
    const bool is_meant =
        host.told ? may_mean(host.platform, device) : devices::platform_of(device) == host.platform;
    if (!is_meant) continue;
    host.devices.push_back(device);
    host.most_on_a_host = std::max(host.most_on_a_host, ++counts[device.host]);
  }
  return host;
}

Placement place_in_queue(const config::Settings& settings, const HostPlatform& told) {
  const config::Size size = config::size_on(settings, told.platform);
  const bool on_cpu = size.devices ? *size.devices == 0 : told.platform == "cpu";
  const std::string platform = on_cpu ? "cpu" : told.platform;
  Placement placement;
  placement.platform = platform;
  placement.shape.nodes = size.nodes;
  placement.devices = nodes_words(size.nodes) + "cpu";
  const bool is_wanted =
      settings.platform.empty() || std::ranges::any_of(settings.platform, [&](const std::string& pattern) {
        return glob_match(pattern, platform);
      });
  if (!on_cpu && !told.told)
    return refused_placement(
        std::move(placement), Placement::Kind::infra,
        say({"{}, and gate does not see what the engine's nodes have: name it, as --platform "
             "ascend-910b3, or by [suite] platform",
             "{}，而 gate 看不到引擎的节点上有什么：请指明平台，例如 --platform "
             "ascend-910b3，或写在 [suite] platform 里"},
            needed(settings, platform)));
  if (!is_wanted || (!on_cpu && platform == "cpu"))
    return refused_placement(std::move(placement), Placement::Kind::skipped,
                             needed_on(settings, platform, platform));
  if (on_cpu) return placement;
  if (told.is_rehearsed)
    return place_rehearsed(std::move(placement), size.nodes, std::max(1, size.devices.value_or(1)));
  if (size.devices.value_or(-1) == -1)
    return refused_placement(std::move(placement), Placement::Kind::infra,
                             say({"an engine is asked for a number of devices: say devices = 8",
                                  "向引擎申请设备要有数目：请写明 devices = 8"}));
  placement.shape.devices = *size.devices;
  placement.devices = nodes_words(size.nodes) + std::to_string(*size.devices) + " x " + platform;
  return placement;
}

Placement place(const config::Settings& settings, const HostPlatform& host) {
  Placement placement;
  const config::Size size = config::size_on(settings, host.platform);
  const bool on_cpu = size.devices == 0;
  placement.platform = on_cpu ? "cpu" : host.platform;
  placement.devices = nodes_words(size.nodes) + "cpu";
  placement.shape.nodes = size.nodes;
  if (placement.platform.empty()) return place_unknown(std::move(placement), settings, host);
  const bool is_wanted =
      settings.platform.empty() || std::ranges::any_of(settings.platform, [&](const std::string& pattern) {
        return glob_match(pattern, placement.platform);
      });
  if (!is_wanted) {
    if (!host.told && !on_cpu && fault_is_wanted(settings, host))
      return place_unknown(std::move(placement), settings, host);
    return refused_placement(
        std::move(placement), Placement::Kind::skipped,
        needed_on(settings, placement.platform, on_cpu ? "cpu (devices=0)" : host.platform) + here(host));
  }
  if (on_cpu) return placement;
  if (placement.platform != "cpu") return place_on_devices(std::move(placement), settings, host);
  if (!size.devices) return placement;
  const Sentence lacking = needed(settings, placement.platform) + here(host);
  if (host.told) return refused_placement(std::move(placement), Placement::Kind::skipped, lacking);
  return refused_placement(std::move(placement), Placement::Kind::infra, lacking + none_meant());
}

}  // namespace gate::app
