// The hosts that cases may run on: [hosts] of gate.toml, and the words that choose some of them.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/base/time.h"

namespace gate::config {

// The host that gate runs on. It may be of a group, and no group has its name.
constexpr std::string_view local_host = "local";

struct HostSettings {
  std::map<std::string, std::vector<std::string>> groups;  // each of one host at least, each host once
  std::string ssh = "ssh";  // the program and its words, between blanks as those of [suite] launch
  Duration lost_after = std::chrono::seconds(60);  // at least a second
  bool sync = false;  // the hosts have no file system in common with gate's: they are sent the git tree
};

// Fail, with what to write, unless the text is `[user@]host` as a word of ssh's command line may hold it: of
// letters, digits and . _ - : % @ [ ] alone, without a dash in front of user or host.
Status check_host(std::string_view name);

// Return the hosts that the words mean, in their order, each once: a group stands for its hosts; no words
// stand for `local`. Fails for a word that is no group, no host of a group and not `local`, with those that
// there are; where there are no groups at all every name that check_host accepts is a host.
Result<std::vector<std::string>> hosts_of(const HostSettings& settings,
                                          const std::vector<std::string>& words);

}  // namespace gate::config
