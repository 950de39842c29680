// Runs works beside one another, each in a thread of its own, as `next` says.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "gate/schedule/schedule.h"

namespace gate::schedule {

// What the dispatcher asks of the world. All but `run` are called one at a time, by the thread that
// dispatches.
struct DispatchHooks {
  // Take the devices for the work. Where it cannot have them now, or what else it needs, nothing is taken,
  // and the devices that others hold are returned.
  std::function<std::optional<std::vector<DeviceId>>(const Start& start)> take;

  // Run the work to its end, and give its devices back. Returns those that no work may use any more.
  std::function<std::vector<DeviceId>(const Start& start)> run;

  // The work can never start: so many devices, or the very ones that it names, are not left.
  std::function<void(std::size_t work)> give_up;

  // Nothing runs, and others hold what waits for.
  std::function<void(const std::vector<DeviceId>& devices)> wait;

  // Tell whether no further work may start.
  std::function<bool()> must_stop;

  // Called twice a second.
  std::function<void()> look = [] {};
};

// Start the works in that order until all have run or none may start; return when all that were started have
// ended. Devices that others hold are asked for again twice a second.
void dispatch(const std::vector<Task>& works, const Pool& pool, const std::vector<std::size_t>& order,
              const DispatchHooks& world);

}  // namespace gate::schedule
