// Which case starts next, on which hosts and devices: a pure function of what waits, what runs and what is
// free.
//
// Cases are packed in an order that is chosen by playing the whole run through beforehand. If the first
// one in the order has to wait for devices, those of the hosts that will have them first are kept for it:
// what stands behind it may go first there only if it is expected to end by then, or takes none of them. So
// no case that needs many devices waits for ever. Likewise hosts are kept for a case that wants them for
// itself: nothing behind it starts there.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/runs/device.h"

namespace gate::schedule {

struct Task {
  Shape shape = {};                      // on the cpu it takes a cpu slot of each of its hosts
  std::vector<DeviceId> chosen = {};     // these very ones, on whichever host; `DeviceId::host` says nothing
  bool exclusive = false;                // nothing runs beside it on its hosts
  std::optional<int> port = {};          // that it fixes: never beside another one with the same on a host
  std::optional<std::size_t> logs = {};  // the group whose tasks may write one file: never beside each other
  Duration expected{};                   // how long; zero: unknown
  std::vector<std::size_t> after = {};   // of the tasks, those that must have ended
  std::vector<int> hosts = {};           // on which it may run, ascending; empty: any
};

struct Resources {
  std::vector<DeviceId> devices = {};  // ascending
  std::vector<int> hosts = {0};        // that can be used, ascending; devices of others cannot
  std::size_t cpu_slots = 1;           // on each host
  std::size_t jobs = 1;                // on each host at once, at most
  std::vector<int> engines = {};       // of the hosts, those that are none: ascending
  std::size_t engine_jobs = 1;         // on each of these at once, at most, devices or none
};

struct Running {
  std::size_t task = 0;
  std::vector<DeviceId> devices = {};
  Duration rest{};  // how long it is expected to run on
  std::vector<int> hosts = {};
};

// A task that cannot start on a host at the moment.
struct Refused {
  std::size_t task = 0;
  int host = 0;
};

struct State {
  std::vector<std::size_t> waiting = {};  // in the order in which they should start
  std::vector<Running> running = {};
  std::vector<DeviceId> free = {};  // devices, ascending
  std::vector<Refused> refused = {};
};

struct Start {
  std::size_t task = 0;
  std::vector<DeviceId> devices = {};  // host by host, as in `hosts`
  std::vector<int> hosts = {};         // of its nodes, ascending
};

// Return what starts next; nothing if all that waits has to wait on.
//
// Devices of a node are neighbours if possible, on the hosts where they fit most tightly; a task on the cpu
// goes where the fewest run. Of equal hosts it is the first.
std::optional<Start> next(const std::vector<Task>& tasks, const Resources& resources, const State& state);

// Tell whether the task could start if nothing ran.
bool has_enough(const Task& task, const Resources& resources);

// Return the tasks in the order in which they should start: of longest first, widest first and most
// device-time first the one that ends earliest when it is played through. What is exclusive comes last.
std::vector<std::size_t> order(const std::vector<Task>& tasks, const Resources& resources);

struct PlannedSlot {
  std::size_t task = 0;
  Duration begin{};
  Duration end{};
  std::vector<DeviceId> devices = {};
  std::vector<int> hosts = {};
};

// Play the tasks through in that order, each as long as expected; unknown is the mean of the others, or a
// minute. Tasks that can never start have no slot. Slots come in the order of their beginnings.
std::vector<PlannedSlot> timeline(const std::vector<Task>& tasks, const Resources& resources,
                                  std::vector<std::size_t> order);

}  // namespace gate::schedule
