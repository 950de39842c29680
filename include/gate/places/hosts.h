// The hosts of a run: the one that gate runs on, and those behind ssh.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "gate/config/host_settings.h"
#include "gate/places/host.h"
#include "gate/suite/answer.h"

namespace gate::app {

inline constexpr std::size_t most_hosts_at_once = 64;  // that are connected to, or asked

// Numbered as DeviceId::host counts them; 0 is the one that gate runs on.
class Hosts {
 public:
  // How to come to a host of that name.
  using Connect = std::function<Result<std::unique_ptr<Host>>(const std::string& name, const Cut& cut)>;

  explicit Hosts(Host& local, Connect connect = {});
  Hosts(Hosts&&) = default;
  Hosts& operator=(Hosts&&) = default;
  ~Hosts();  // takes leave of all of them at once

  // Return the number of each of these hosts; those that are not there yet are connected to, all at once.
  std::vector<int> open(const std::vector<std::string>& names, const Cut& cut);

  // Return what is attached to each of these hosts, as far as they can be reached, with the host's number;
  // all are asked at once.
  std::map<int, devices::Attached> inventories(const std::set<int>& numbers, const Cut& cut) const;

  // Send the tree to each of these hosts that can be reached but the one that gate runs on, to all at once;
  // one that does not take it counts as one that cannot be reached. `on_missing` hears, one after the other,
  // what is sent to which host.
  void send_tree(
      const std::set<int>& numbers, const hosts::Tree& tree,
      const std::function<void(const std::string& host, const hosts::MissingContents&)>& on_missing,
      const Cut& cut);

  // Return how busy each of these hosts is, as far as it can be reached and tells; all are asked at once.
  std::map<int, devices::HostUsage> usages(const std::set<int>& numbers, const Cut& cut) const;

  Host& at(int number) const;                 // one that can be reached
  const std::string& name(int number) const;  // `npu1`; `local`
  std::string far_name(int number) const;     // likewise; "" for the one that gate runs on

  // Return the names of these hosts but that of the one that gate runs on; a host that follows itself once.
  std::vector<std::string> far_names(const std::vector<int>& numbers) const;
  const std::string& why_missing(int number) const;  // why it cannot be reached; "" where it can
  int count() const { return static_cast<int>(entries_.size()); }

 private:
  struct Entry {
    std::string name;
    Host* host = nullptr;
    std::unique_ptr<Host> owned = {};
    std::string why_missing = {};
  };
  template <class Ask>
  auto ask_each(const std::set<int>& numbers, const Ask& ask) const;

  std::vector<Entry> entries_;
  Connect connect_;
};

// Come to hosts by ssh as [hosts] says, for one run. A tool there is asked no longer than the limit. Who is
// in a hurry waits for no farewell.
Hosts::Connect ssh_connect(const config::HostSettings& settings, Duration tool_limit,
                           std::function<bool()> must_hurry = {});

}  // namespace gate::app
