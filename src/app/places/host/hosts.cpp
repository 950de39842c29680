#include "gate/places/hosts.h"

#include <algorithm>
#include <mutex>

#include "gate/base/in_parallel.h"

namespace gate::app {

Hosts::Hosts(Host& local, Connect connect) : connect_(std::move(connect)) {
  entries_.push_back({std::string(config::local_host), &local});
}

Hosts::~Hosts() {
  in_parallel(entries_.size(), std::min(entries_.size(), most_hosts_at_once),
              [&](std::size_t i) { entries_[i].owned.reset(); });
}

std::vector<int> Hosts::open(const std::vector<std::string>& names, const Cut& cut) {
  const auto before = entries_.size();
  std::vector<int> numbers;
  for (const std::string& name : names) {
    auto entry = std::ranges::find(entries_, name, &Entry::name);
    if (entry == entries_.end()) {
      entries_.push_back({name});
      entry = entries_.end() - 1;
    }
    numbers.push_back(static_cast<int>(entry - entries_.begin()));
  }
  const std::size_t added = entries_.size() - before;
  in_parallel(added, std::min(added, most_hosts_at_once), [&](std::size_t i) {
    Entry& entry = entries_[before + i];
    Result<std::unique_ptr<Host>> host =
        connect_ ? connect_(entry.name, cut) : fail("there is no way to " + entry.name);
    if (host)
      entry.owned = std::move(*host);
    else
      entry.why_missing = host.error().message;
    entry.host = entry.owned.get();
  });
  return numbers;
}

// What each of the hosts that can be reached answers, by its number; all are asked at once.
template <class Ask>
auto Hosts::ask_each(const std::set<int>& numbers, const Ask& ask) const {
  using Said = decltype(ask(0));
  std::vector<int> there;
  std::ranges::copy_if(numbers, std::back_inserter(there),
                       [&](int number) { return why_missing(number).empty(); });
  std::vector<Said> said(there.size());
  in_parallel(there.size(), std::min(there.size(), most_hosts_at_once),
              [&](std::size_t i) { said[i] = ask(there[i]); });
  std::map<int, Said> by_host;
  for (std::size_t i = 0; i < there.size(); ++i) by_host[there[i]] = std::move(said[i]);
  return by_host;
}

std::map<int, devices::Attached> Hosts::inventories(const std::set<int>& numbers, const Cut& cut) const {
  return ask_each(numbers, [&](int number) {
    devices::Attached attached = at(number).inventory(cut);
    for (Device& device : attached.devices) device.host = number;
    return attached;
  });
}

void Hosts::send_tree(
    const std::set<int>& numbers, const hosts::Tree& tree,
    const std::function<void(const std::string& host, const hosts::MissingContents&)>& on_missing,
    const Cut& cut) {
  std::vector<Entry*> there;
  for (const int number : numbers)
    if (number != 0 && why_missing(number).empty())
      there.push_back(&entries_.at(static_cast<std::size_t>(number)));
  std::mutex mutex;
  in_parallel(there.size(), std::min(there.size(), most_hosts_at_once), [&](std::size_t i) {
    Entry& entry = *there[i];
    const auto tell = [&](const hosts::MissingContents& missing) {
      const std::lock_guard lock(mutex);
      on_missing(entry.name, missing);
    };
    if (const Status sent = entry.host->send_tree(tree, tell, cut); !sent)
      entry.why_missing = sent.error().message;
  });
}

std::map<int, devices::HostUsage> Hosts::usages(const std::set<int>& numbers, const Cut& cut) const {
  std::map<int, devices::HostUsage> told;
  for (const auto& [number, usage] : ask_each(numbers, [&](int number) { return at(number).usage(cut); }))
    if (usage) told[number] = *usage;
  return told;
}

Host& Hosts::at(int number) const { return *entries_.at(static_cast<std::size_t>(number)).host; }

const std::string& Hosts::name(int number) const {
  return entries_.at(static_cast<std::size_t>(number)).name;
}

std::string Hosts::far_name(int number) const { return number == 0 ? "" : name(number); }

std::vector<std::string> Hosts::far_names(const std::vector<int>& numbers) const {
  std::vector<std::string> names;
  for (const int number : numbers)
    if (std::string own = far_name(number); !own.empty() && (names.empty() || names.back() != own))
      names.push_back(std::move(own));
  return names;
}

const std::string& Hosts::why_missing(int number) const {
  return entries_.at(static_cast<std::size_t>(number)).why_missing;
}

}  // namespace gate::app
