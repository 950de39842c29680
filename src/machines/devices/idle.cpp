#include "gate/devices/idle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "gate/base/text.h"

namespace gate::devices {

namespace {

constexpr std::array<std::string_view, 3> well{"", "OK", "Warning"};

// The share of its memory that an idle device's driver and firmware hold: 2.9 to 3.4 GB of 64 on 910B, 1 of
// 21.5 GB on 310P, half a GB at most on GPUs.
struct IdleRow {
  std::string_view vendor;
  double share;
  double at_least;  // MiB
};
constexpr std::array<IdleRow, 3> idle_rows{
    {{"ascend", 0.08, 1024}, {"nvidia", 0.02, 1024}, {"amd", 0.02, 1024}}};

double idle_memory(const Device& device) {
  for (const IdleRow& row : idle_rows)
    if (row.vendor == device.vendor)
      return std::max(row.at_least, row.share * device.memory_total.value_or(0));
  return 0;
}

std::string mib_text(double memory) { return std::to_string(std::llround(memory)) + " MiB"; }

Sentence user_words(const DeviceUser& user) {
  Sentence words = user.pid > 0 ? say({"pid {}", "pid {}"}, user.pid) : say({"a process", "一个进程"});
  if (!user.name.empty()) words += as_is(" " + printable(user.name, 60));
  return user.memory ? say({"{} ({})", "{}（{}）"}, words, mib_text(*user.memory)) : words;
}

Sentence users_words(const std::vector<DeviceUser>& users) {
  constexpr std::size_t most = 4;
  std::vector<Sentence> words;
  for (std::size_t i = 0; i < std::min(users.size(), most); ++i) words.push_back(user_words(users[i]));
  const Sentence first = join(words, comma);
  if (users.size() <= most) return first;
  return say({"{} and {} more", "{} 以及另外 {} 个"}, first, users.size() - most);
}

}  // namespace

std::optional<Sentence> sickness(const Device& device) {
  if (std::find(well.begin(), well.end(), device.health) != well.end()) return std::nullopt;
  return say({"health {}", "健康状态 {}"}, printable(device.health, 40));
}

std::optional<Sentence> occupation(const Device& device) {
  if (!device.users.empty()) return say({"in use by {}", "正被 {} 使用"}, users_words(device.users));
  if (!device.memory_used || *device.memory_used <= idle_memory(device)) return std::nullopt;
  const std::string used = mib_text(*device.memory_used);
  const Sentence of_all = device.memory_total
                              ? say({"{} of {}", "{}（共 {}）"}, used, mib_text(*device.memory_total))
                              : as_is(used);
  return say({"{} in use, by no process that its tool lists", "已用 {}，但工具没有列出占用的进程"}, of_all);
}

}  // namespace gate::devices
