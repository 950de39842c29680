#include "config/tables/document_tables.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "config/tables/key_table.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

Result<Duration> read_lost_after(const RawValue& raw) {
  Result<Duration> duration = read_duration(raw);
  if (duration && *duration < std::chrono::seconds(1)) return fail(shown(raw) + " is below 1s");
  return duration;
}

using H = HostSettings;
constexpr auto host_table = std::to_array<AssignRow<HostSettings>>({
    {{"ssh", "text", "ssh", "hosts", "ssh and its options, e.g. ssh -F ci/ssh_config"},
     assign_member<&H::ssh, read_filled_text>},
    {{"lost_after", "duration", "60s", "hosts", "silence after which a host counts as lost"},
     assign_member<&H::lost_after, read_lost_after>},
    {{"sync", "bool", "false", "hosts",
      "copy the files that git tracks to hosts that share no file system with gate"},
     assign_member<&H::sync, read_bool>},
});

constexpr auto host_rows = rows_of(host_table);

// Reads [hosts].
class HostsReader {
 public:
  explicit HostsReader(Diagnostics& mistakes) : mistakes_(mistakes) {}

  HostSettings read(const TomlTree& table);

 private:
  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }
  void read_option(const Branch& branch);
  void read_group(const Branch& branch);
  void check_group_name(const Branch& branch);
  void check_ambiguity(const TomlTree& table);

  Diagnostics& mistakes_;
  HostSettings settings_ = built_in_of<HostSettings>(host_table);
};

HostSettings HostsReader::read(const TomlTree& table) {
  for (const Branch& branch : table.branches) {
    if (find_row(host_rows, branch.key) != nullptr)
      read_option(branch);
    else
      read_group(branch);
  }
  check_ambiguity(table);
  return std::move(settings_);
}

void HostsReader::read_option(const Branch& branch) {
  const Status done = row_of(host_table, branch.key).assign(settings_, branch.tree.raw);
  if (!done) report(branch.tree.raw.at, done.error().message);
}

// A slip in an option's key makes a group of its value, if that can name a host.
void HostsReader::check_group_name(const Branch& branch) {
  const std::string shown_key = "\"" + printable(branch.key, 80) + "\"";
  const std::optional<std::string> option = closest(branch.key, keys_of(host_rows));
  HostSettings scratch;
  if (branch.key == local_host)
    report(branch.at, "\"local\" is the host that gate runs on; give the group another name");
  else if (!is_name(branch.key) || branch.key.find(',') != std::string::npos)
    report(branch.at, shown_key + " is no name; write one without blanks, commas and =");
  else if (option && row_of(host_table, *option).assign(scratch, branch.tree.raw))
    report(branch.at, shown_key + " is no option; did you mean \"" + *option +
                          "\"? A group of one host is written as a list: [\"host\"]");
}

void HostsReader::read_group(const Branch& branch) {
  check_group_name(branch);
  const Position& at = branch.tree.raw.at;
  const Result<std::vector<std::string>> hosts = read_list(branch.tree.raw);
  if (!hosts) return report(at, hosts.error().message);
  if (hosts->empty()) return report(at, "the group has no host; name one, or leave the group out");
  std::set<std::string> seen;
  for (const std::string& host : *hosts) {
    if (const Status fine = check_host(host); !fine)
      report(at, fine.error().message);
    else if (!seen.insert(host).second)
      report(at, host + " is twice in the group; name it once");
  }
  settings_.groups[branch.key] = *hosts;
}

// A group named as a host is may be that host alone: then the word means the same either way.
void HostsReader::check_ambiguity(const TomlTree& table) {
  std::map<std::string, std::string> group_of;
  for (const auto& [group, hosts] : settings_.groups)
    for (const std::string& host : hosts) group_of.emplace(host, group);
  for (const Branch& branch : table.branches) {
    const auto named = settings_.groups.find(branch.key);
    const auto group = group_of.find(branch.key);
    if (named == settings_.groups.end() || group == group_of.end()) continue;
    if (named->second == std::vector{branch.key}) continue;
    report(branch.at, "\"" + printable(branch.key, 80) + "\" is a host of \"" + printable(group->second, 80) +
                          "\", too; give the group another name");
  }
}

bool may_stand_in_host(char c) {
  return is_letter_or_digit(c) || std::string_view("._-:%@[]").find(c) != std::string_view::npos;
}

Status check_user(std::string_view name) {
  const std::size_t at = name.find('@');
  if (at == std::string_view::npos) return {};
  if (at == 0) return fail("\"" + std::string(name) + "\" has no user before the @");
  if (name.find('@', at + 1) != std::string_view::npos)
    return fail("\"" + std::string(name) + "\" holds two @; write user@host");
  return {};
}

std::string unknown_host(const HostSettings& settings, const std::string& word) {
  constexpr std::size_t most = 12;
  std::vector<std::string> names;
  std::set<std::string> seen;
  const auto add = [&](const std::string& name) {
    if (seen.insert(name).second) names.push_back(name);
  };
  for (const auto& [group, hosts] : settings.groups) add(group);
  for (const auto& [group, hosts] : settings.groups) std::ranges::for_each(hosts, add);
  add(std::string(local_host));
  const std::string hint = did_you_mean(word, names);
  return "unknown host \"" + printable(word, 80) + "\"" +
         (hint.empty() ? "; known: " + some_of(names, most) : hint);
}

bool is_member(const HostSettings& settings, const std::string& host) {
  return std::ranges::any_of(settings.groups,
                             [&](const auto& group) { return std::ranges::count(group.second, host) > 0; });
}

// The hosts of one word.
Result<std::vector<std::string>> hosts_of_word(const HostSettings& settings, const std::string& word) {
  if (const auto group = settings.groups.find(word); group != settings.groups.end()) return group->second;
  if (word == local_host || is_member(settings, word)) return std::vector{word};
  GATE_TRY_STATUS(check_host(word));
  if (!settings.groups.empty()) return fail(unknown_host(settings, word));
  return std::vector{word};
}

}  // namespace

std::span<const SettingRow> host_keys() { return host_rows; }

HostSettings read_hosts(const TomlTree& table, Diagnostics& mistakes) {
  return HostsReader(mistakes).read(table);
}

Status check_host(std::string_view name) {
  constexpr std::size_t most = 255;
  const std::string quoted = "\"" + printable(name, 80) + "\"";
  if (name.empty()) return fail("the name of a host is empty");
  if (name.size() > most)
    return fail(quoted + " is longer than the " + std::to_string(most) + " characters of a host's name");
  if (!std::ranges::all_of(name, may_stand_in_host))
    return fail(quoted +
                " is no name of a host; write [user@]host as ~/.ssh/config knows it, of letters, digits and "
                ". _ - : % @ [ ] alone");
  GATE_TRY_STATUS(check_user(name));
  const std::string_view host = name.substr(name.find('@') + 1);  // npos + 1 is 0
  if (name[0] == '-' || host.starts_with('-'))
    return fail(quoted + " begins with a dash, as an option of ssh does; write [user@]host");
  if (std::ranges::none_of(host, is_letter_or_digit))
    return fail(quoted + " names no host: it has neither letter nor digit");
  return {};
}

Result<std::vector<std::string>> hosts_of(const HostSettings& settings,
                                          const std::vector<std::string>& words) {
  if (words.empty()) return std::vector{std::string(local_host)};
  std::vector<std::string> all;
  std::set<std::string> seen;
  for (const std::string& word : words) {
    GATE_TRY(const std::vector<std::string> hosts, hosts_of_word(settings, word));
    for (const std::string& host : hosts)
      if (seen.insert(host).second) all.push_back(host);
  }
  return all;
}

}  // namespace gate::config
