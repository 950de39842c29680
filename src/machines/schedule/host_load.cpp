#include "host_load.h"

#include <algorithm>
#include <span>
#include <utility>

namespace gate::schedule {

namespace {

// The devices free from here on without a gap: `3 4 5` begins three.
std::size_t unbroken(std::span<const DeviceId> free, std::size_t from) {
  std::size_t count = 1;
  while (from + count < free.size() && free[from + count].index == free[from].index + static_cast<int>(count))
    ++count;
  return count;
}

// Neighbours, such as 4-7: in the smallest gap that holds them, on a multiple of their count if that is
// possible; else the first ones.
DeviceFit tightest(std::span<const DeviceId> free, std::size_t count) {
  DeviceFit best;
  for (std::size_t begin = 0; begin < free.size();) {
    const std::size_t length = unbroken(free, begin);
    for (std::size_t i = begin; i + count <= begin + length; ++i)
      best = std::min(best, DeviceFit{length, free[i].index % static_cast<int>(count) != 0, i});
    begin += length;
  }
  return best;
}

bool has_index(std::span<const DeviceId> devices, int index) {
  return std::ranges::find(devices, index, &DeviceId::index) != devices.end();
}

bool has_all(std::span<const DeviceId> devices, std::span<const DeviceId> chosen) {
  return std::ranges::all_of(chosen, [&](const DeviceId& one) { return has_index(devices, one.index); });
}

bool suffices(std::span<const DeviceId> devices, const Task& task) {
  return task.chosen.empty() ? devices.size() >= static_cast<std::size_t>(task.shape.devices)
                             : has_all(devices, task.chosen);
}

// Of all the devices those of a host.
std::span<const DeviceId> devices_on(std::span<const DeviceId> devices, int host) {
  const auto begin = std::ranges::lower_bound(devices, host, {}, &DeviceId::host);
  const auto end = std::ranges::upper_bound(devices, host, {}, &DeviceId::host);
  return {begin, end};
}

}  // namespace

bool HostLoad::has_port(int port) const {
  return std::ranges::any_of(uses_, [&](const HostUse& use) { return use.task->port == port; });
}

std::optional<DeviceFit> HostLoad::fit(const Task& task) const {
  if (!suffices(free_, task)) return std::nullopt;
  if (!task.chosen.empty()) return DeviceFit{};
  const auto count = static_cast<std::size_t>(task.shape.devices);
  if (fits_.size() <= count) fits_.resize(count + 1);
  if (!fits_[count]) fits_[count] = tightest(free_, count);
  return fits_[count];
}

std::vector<DeviceId> HostLoad::devices_for(const Task& task) const {
  if (task.shape.is_on_cpu()) return {};
  std::vector<DeviceId> devices = task.chosen;
  for (DeviceId& device : devices) device.host = id_;
  if (!devices.empty()) return devices;
  const auto first = free_.begin() + static_cast<std::ptrdiff_t>(fit(task)->first);
  return {first, first + task.shape.devices};
}

std::optional<HostRoom> HostLoad::room_for(const Task& task, std::size_t jobs, Duration now) const {
  std::size_t free = free_.size(), left = uses_.size();
  const auto each = static_cast<std::size_t>(task.shape.devices);
  const auto is_enough = [&] { return free >= each && left < jobs && (left == 0 || !is_exclusive()); };
  for (auto use = uses_.begin(); !is_enough(); ++use) {
    if (use == uses_.end()) return std::nullopt;
    free += use->devices.size();
    --left;
    now = use->end;
  }
  return HostRoom{now, left + 1 < jobs ? static_cast<int>(free - each) : -1};
}

bool HostLoad::has_enough_once_empty(const Task& task) const {
  const auto is_there = [&](const DeviceId& device) {
    return has_index(free_, device.index) || std::ranges::any_of(uses_, [&](const HostUse& use) {
             return has_index(use.devices, device.index);
           });
  };
  return free_.size() + devices_in_use_ >= static_cast<std::size_t>(task.shape.devices) &&
         std::ranges::all_of(task.chosen, is_there);
}

void HostLoad::add(HostUse use) {
  std::erase_if(free_, [&](const DeviceId& device) { return has_index(use.devices, device.index); });
  fits_.clear();
  is_exclusive_ = use.task->exclusive;
  cpu_tasks_ += use.task->shape.is_on_cpu() ? 1 : 0;
  devices_in_use_ += use.devices.size();
  uses_.insert(std::ranges::upper_bound(uses_, use.end, {}, &HostUse::end), std::move(use));
}

void HostLoad::remove(std::size_t index) {
  const auto use = std::ranges::find(uses_, index, &HostUse::index);
  free_.insert(free_.end(), use->devices.begin(), use->devices.end());
  std::ranges::sort(free_);
  fits_.clear();
  is_exclusive_ = false;
  cpu_tasks_ -= use->task->shape.is_on_cpu() ? 1 : 0;
  devices_in_use_ -= use->devices.size();
  uses_.erase(use);
}

bool has_enough(const Task& task, const Resources& resources) {
  const std::vector<int>& hosts = task.hosts.empty() ? resources.hosts : task.hosts;
  return std::ranges::count_if(hosts, [&](int host) {
           return std::ranges::binary_search(resources.hosts, host) &&
                  suffices(devices_on(resources.devices, host), task);
         }) >= task.shape.nodes;
}

}  // namespace gate::schedule
