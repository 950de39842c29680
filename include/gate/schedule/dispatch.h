// Runs tasks beside one another, each in a thread of its own, as `next` says.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "gate/schedule/schedule.h"

namespace gate::schedule {

// How a task ended: with what no task may use any more. A lost host takes its devices with it.
struct TaskEnding {
  std::vector<DeviceId> lost_devices = {};
  std::vector<int> lost_hosts = {};
  bool runs_again = false;  // it waits once more, in front of all others
};

// What the dispatcher asks of its caller. All but `run` are called one at a time, by the thread that
// dispatches.
struct DispatchHooks {
  // Reserve the devices for the task. If it cannot have them now, or what else it needs, nothing is reserved,
  // and the devices that others hold are returned. If none of them is its own, it is not asked for on their
  // hosts, or on any of its hosts if there are none, until the next wait.
  std::function<std::optional<std::vector<DeviceId>>(const Start& start)> reserve;

  // Run the task to its end, and give its devices back.
  std::function<TaskEnding(const Start& start)> run;

  // The task can never start: so many hosts, with so many devices or the very ones that it names, are not
  // left.
  std::function<void(std::size_t task)> on_unschedulable;

  // Nothing runs, and others hold what waits for.
  std::function<void(const std::vector<DeviceId>& devices)> wait;

  // Tell whether no further task may start.
  std::function<bool()> must_stop;

  // Tell whether the task, which has not started, is not to: it is taken for one that can never start.
  std::function<bool(std::size_t task)> is_cancelled = [](std::size_t) { return false; };

  // Called twice a second.
  std::function<void()> poll = [] {};
};

// Start the tasks in that order until all have run or none may start; return when all that were started have
// ended. Devices that others hold are asked for again twice a second.
void dispatch(const std::vector<Task>& tasks, const Resources& resources,
              const std::vector<std::size_t>& order, const DispatchHooks& hooks);

}  // namespace gate::schedule
