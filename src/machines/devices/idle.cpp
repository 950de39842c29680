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

std::string user_words(const DeviceUser& user) {
  std::string words = user.pid > 0 ? "pid " + std::to_string(user.pid) : "a process";
  if (!user.name.empty()) words += " " + printable(user.name, 60);
  return user.memory ? words + " (" + mib_text(*user.memory) + ")" : words;
}

}  // namespace

std::optional<std::string> sickness(const Device& device) {
  if (std::find(well.begin(), well.end(), device.health) != well.end()) return std::nullopt;
  return "health " + printable(device.health, 40);
}

std::optional<std::string> occupation(const Device& device) {
  const auto users = texts_of(device.users, [&](const DeviceUser& user) { return user_words(user); });
  if (!users.empty()) return "in use by " + some_of(users, 4);
  if (!device.memory_used || *device.memory_used <= idle_memory(device)) return std::nullopt;
  const std::string of = device.memory_total ? " of " + mib_text(*device.memory_total) : "";
  return mib_text(*device.memory_used) + of + " in use, by no process that its tool lists";
}

}  // namespace gate::devices
