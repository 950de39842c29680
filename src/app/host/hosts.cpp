#include "gate/app/hosts.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>

namespace gate::app {

void at_once(std::size_t count, const std::function<void(std::size_t)>& work) {
  constexpr std::size_t most = 64;
  std::atomic<std::size_t> next = 0;
  const auto go_on = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  try {
    while (helpers.size() + 1 < std::min(count, most)) helpers.emplace_back(go_on);
  } catch (const std::system_error&) {  // no more threads are to be had
  }
  go_on();
}

Hosts::Hosts(Host& local, Connect connect) : connect_(std::move(connect)) {
  entries_.push_back({std::string(config::local_host), &local});
}

std::vector<int> Hosts::open(const std::vector<std::string>& names) {
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
  at_once(entries_.size() - before, [&](std::size_t i) {
    Entry& entry = entries_[before + i];
    Result<std::unique_ptr<Host>> host =
        connect_ ? connect_(entry.name) : fail("there is no way to " + entry.name);
    if (host)
      entry.owned = std::move(*host);
    else
      entry.why_missing = host.error().message;
    entry.host = entry.owned.get();
  });
  return numbers;
}

Host& Hosts::at(int number) const { return *entries_.at(static_cast<std::size_t>(number)).host; }

const std::string& Hosts::name(int number) const {
  return entries_.at(static_cast<std::size_t>(number)).name;
}

const std::string& Hosts::why_missing(int number) const {
  return entries_.at(static_cast<std::size_t>(number)).why_missing;
}

}  // namespace gate::app
