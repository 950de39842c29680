#include "gate/places/host_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gate/base/text.h"
#include "places/host/git_tree.h"

namespace gate::app {

namespace {

// Nothing is asked if no case could use a device.
bool may_use_devices(const std::vector<const config::Case*>& cases, const std::string& told) {
  return told != "cpu" && std::ranges::any_of(cases, [&](const config::Case* one) {
           return config::size_on(one->settings, told).devices != 0 || !one->settings.devices_on.empty();
         });
}

HostGroup group_of(const Hosts& hosts, std::vector<int> numbers,
                   const std::map<int, devices::Attached>& inventories, const std::string& flag,
                   const std::string& suite) {
  HostGroup group;
  devices::Attached attached;
  std::ranges::sort(numbers);
  for (const int number : numbers) {
    if (const std::string& why = hosts.why_missing(number); !why.empty()) {
      group.missing.push_back(why);
      continue;
    }
    group.hosts.push_back(number);
    const auto there = inventories.find(number);
    if (there == inventories.end()) continue;
    std::ranges::copy(there->second.devices, std::back_inserter(attached.devices));
    std::ranges::copy(there->second.faults, std::back_inserter(attached.faults));
  }
  group.platform = platform_of_host(std::move(attached), flag, suite);
  return group;
}

std::string size_words(std::uintmax_t bytes) {
  constexpr std::uintmax_t kilobyte = 1000, megabyte = kilobyte * kilobyte;
  return bytes < megabyte ? fmt::format("{} kB", (bytes + kilobyte - 1) / kilobyte)
                          : fmt::format("{} MB", bytes / megabyte);
}

// Send these hosts the git tree, each what it lacks, with the scripts of the cases.
Answer<void> send_git_tree(const Suite& suite, const std::vector<const config::Case*>& cases,
                           const std::set<int>& numbers, Environment& environment) {
  std::vector<fs::Path> scripts;
  for (const config::Case* spec : cases) scripts.push_back(suite.root / spec->script);
  GATE_TRY(const hosts::Tree tree, read_git_tree(suite.root, scripts));
  environment.hosts->send_tree(
      numbers, tree,
      [&](const std::string& host, const hosts::MissingContents& missing) {
        environment.sink(
            Message{"", say({"{} is sent {} of the git tree, {}", "正在向 {} 发送 git 树的 {}，{}"}, host,
                            count_of(static_cast<std::int64_t>(missing.files), "file", "个文件"),
                            size_words(missing.bytes))});
      },
      environment.cut());
  constexpr int by_signal = 128;
  if (const auto signal = environment.signal())
    return tl::unexpected(Failure{by_signal + *signal, "interrupted before the git tree was sent"});
  return {};
}

}  // namespace

Whereabouts whereabouts(const Suite& suite, const config::Settings& settings) {
  std::optional<Backend> queue;
  if (traits_of(settings.backend).queues) queue = settings.backend;
  return {queue, config::host_words(suite.policy.hosts(), settings)};
}

PlannedPlace HostGroup::planned_place() const {
  if (!queue) return {hosts, hosts};
  const Sentence name = say({"a node of {}", "{} 的一个节点"}, hosts::engine_of(*queue).name);
  return {{}, {-1 - static_cast<int>(*queue)}, false, name};
}

Placement HostGroup::place(const config::Settings& settings) const {
  if (queue) return place_in_queue(settings, platform);
  const int nodes = config::size_on(settings, platform.platform).nodes;
  const bool has_enough = hosts.size() >= static_cast<std::size_t>(nodes);
  Placement placement;
  // Of hosts that cannot be reached nobody knows what they have.
  if (has_enough || missing.empty()) placement = app::place(settings, platform);
  if (has_enough || placement.kind == Placement::Kind::skipped) return placement;
  placement = {};
  placement.kind = Placement::Kind::infra;
  placement.shape.nodes = nodes;
  const Sentence needed = count_of(nodes, "host", "台主机");
  if (hosts.empty())
    placement.reason =
        say({"none of its hosts can be reached: {}", "它的主机都无法连接：{}"}, join(missing, "; "));
  else if (missing.empty())
    placement.reason =
        say({"needs {}, and the setting hosts gives it {}: name a group of [hosts] that has enough, or "
             "an engine by backend",
             "需要 {}，而设置 hosts 给了它 {} 台：请指定 [hosts] 里够用的组，或用 backend 指定引擎"},
            needed, hosts.size());
  else
    placement.reason =
        say({"needs {}, and {} can be reached: {}", "需要 {}，而能连接的有 {}：{}"}, needed,
            count_of(static_cast<std::int64_t>(hosts.size()), "host", "台主机"), join(missing, "; "));
  return placement;
}

Answer<HostGroups> find_hosts(const Suite& suite, const std::vector<const config::Case*>& cases,
                              const std::vector<const config::Case*>& of_all_shards, const std::string& flag,
                              Sending sending, Environment& environment) {
  std::map<Whereabouts, std::vector<std::string>> names;  // as said -> of hosts
  std::vector<std::string> all;
  for (const config::Case* spec : cases) {
    const Whereabouts where = whereabouts(suite, spec->settings);
    if (names.contains(where)) continue;
    if (traits_of(spec->settings.backend).names_hosts && where.hosts.empty())
      return usage(spec->name + ": backend = ssh, and there is no host: name some in [hosts] or by --hosts");
    std::vector<std::string>& members = names[where];
    if (where.queue) continue;  // what its nodes have is not asked
    const auto resolved = config::hosts_of(suite.policy.hosts(), where.hosts);
    if (!resolved) return usage(spec->name + ": " + resolved.error().message);
    members = *resolved;
    all.insert(all.end(), resolved->begin(), resolved->end());
  }
  names.emplace(Whereabouts{}, std::vector{std::string(config::local_host)});
  Hosts& hosts = *environment.hosts;
  const std::vector<int> numbers = hosts.open(all, environment.cut());
  const bool is_far = std::ranges::any_of(numbers, [](int number) { return number != 0; });
  if (suite.policy.hosts().sync && is_far && sending == Sending::yes) {
    GATE_TRY_STATUS(send_git_tree(suite, cases, {numbers.begin(), numbers.end()}, environment));
  }
  const std::string& told = flag.empty() ? suite.policy.platform() : flag;
  std::map<int, devices::Attached> attached;
  if (may_use_devices(of_all_shards, told))
    attached = hosts.inventories({numbers.begin(), numbers.end()}, environment.cut());
  HostGroups groups;
  for (const auto& [where, members] : names) {
    groups[where] = where.queue
                        ? HostGroup{where.queue, {}, {}, platform_of_host({}, flag, suite.policy.platform())}
                        : group_of(hosts, hosts.open(members, environment.cut()), attached, flag,
                                   suite.policy.platform());
    groups[where].platform.is_rehearsed = suite.rehearsal.has_value();
  }
  return groups;
}

}  // namespace gate::app
