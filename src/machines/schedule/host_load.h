// What runs on one host, and which of its devices are free.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/runs/device.h"
#include "gate/schedule/schedule.h"

namespace gate::schedule {

// A task that runs on a host.
struct HostUse {
  std::size_t index = 0;
  const Task* task = nullptr;
  std::vector<DeviceId> devices = {};  // of this host
  Duration end{};
};

// How tightly devices sit between those in use; less is tighter.
struct DeviceFit {
  std::size_t gap = std::numeric_limits<std::size_t>::max();  // how long; the most: they are no neighbours
  bool is_off = true;                                         // they begin on no multiple of their count
  std::size_t first = 0;                                      // its place among those that are free
  auto operator<=>(const DeviceFit&) const = default;
};

// When a host has enough for a task that waits, and what it has beyond that.
struct HostRoom {
  Duration at{};
  int spare = 0;  // devices; negative: no further task may start there beside it
};

class HostLoad {
 public:
  HostLoad(int id, std::vector<DeviceId> free) : id_(id), free_(std::move(free)) {}

  int id() const { return id_; }
  bool is_empty() const { return uses_.empty(); }
  bool is_exclusive() const { return is_exclusive_; }
  std::size_t tasks() const { return uses_.size(); }
  std::size_t cpu_tasks() const { return cpu_tasks_; }
  bool has_port(int port) const;

  // Return how the devices of a node of the task fit in; nothing if too few are free.
  std::optional<DeviceFit> fit(const Task& task) const;
  // Return them. They must fit in.
  std::vector<DeviceId> devices_for(const Task& task) const;

  // Return when enough devices and one of the jobs are free, if nothing starts before; nothing if that
  // takes more than that what runs ends. The task names no devices.
  std::optional<HostRoom> room_for(const Task& task, std::size_t jobs, Duration now) const;
  // Return when the last one ends; `now` if nothing runs.
  Duration empty_at(Duration now) const { return uses_.empty() ? now : uses_.back().end; }
  // Tell whether the task will have its devices once nothing runs.
  bool has_enough_once_empty(const Task& task) const;

  void add(HostUse use);
  void remove(std::size_t index);  // that runs there

 private:
  int id_;
  std::vector<DeviceId> free_;  // ascending
  std::vector<HostUse> uses_;   // the first to end first
  bool is_exclusive_ = false;
  std::size_t cpu_tasks_ = 0;
  std::size_t devices_in_use_ = 0;
  mutable std::vector<std::optional<DeviceFit>> fits_;  // by count, as far as known
};

}  // namespace gate::schedule
