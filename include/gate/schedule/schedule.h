// Which case starts next, and on which devices: a pure function of what waits, what runs and what is free.
//
// Cases are packed in an order that is chosen by playing the whole run through beforehand. If the first
// one in the order has to wait for devices, they are kept for it: what stands behind it may go first only
// if it is expected to end by then, or takes none of them. So no case that needs many devices waits for
// ever.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/device.h"

namespace gate::schedule {

struct Task {
  Shape shape = {};                      // on the cpu it takes a cpu slot
  std::vector<DeviceId> chosen = {};     // these very ones
  bool exclusive = false;                // nothing runs beside it
  std::optional<int> port = {};          // that it fixes: never beside another one with the same
  std::optional<std::size_t> logs = {};  // the group whose tasks may write one file: never beside each other
  Duration expected{};                   // how long; zero: unknown
  std::vector<std::size_t> after = {};   // of the tasks, those that must have ended
};

struct Resources {
  std::vector<DeviceId> devices;  // ascending
  std::size_t cpu_slots = 1;
  std::size_t jobs = 1;  // at once, at most
};

struct Running {
  std::size_t task = 0;
  std::vector<DeviceId> devices = {};
  Duration rest{};  // how long it is expected to run on
};

struct State {
  std::vector<std::size_t> waiting;  // in the order in which they should start
  std::vector<Running> running;
  std::vector<DeviceId> free;             // devices, ascending
  std::vector<std::size_t> refused = {};  // of those waiting, what cannot start at the moment
};

struct Start {
  std::size_t task = 0;
  std::vector<DeviceId> devices = {};
};

// Return what starts next; nothing if all that waits has to wait on.
std::optional<Start> next(const std::vector<Task>& tasks, const Resources& resources, const State& state);

// Return the tasks in the order in which they should start: of longest first, widest first and most
// device-time first the one that ends earliest when it is played through. What is exclusive comes last.
std::vector<std::size_t> order(const std::vector<Task>& tasks, const Resources& resources);

struct PlannedSlot {
  std::size_t task = 0;
  Duration begin{};
  Duration end{};
  std::vector<DeviceId> devices = {};
};

// Play the tasks through in that order, each as long as expected; unknown is the mean of the others, or a
// minute. Tasks that can never start have no slot. Slots come in the order of their beginnings.
std::vector<PlannedSlot> timeline(const std::vector<Task>& tasks, const Resources& resources,
                                  std::vector<std::size_t> order);

}  // namespace gate::schedule
