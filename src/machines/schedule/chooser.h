// Chooses what starts next while tasks begin and end.
//
// The order is given; what is decided here is who may overtake whom. If whatever fits were started, a task of
// eight devices would wait for ever behind small ones; if nobody overtook, devices would stand idle. So the
// first task that finds no place has devices kept for it, where it will have them first. On a host of eight:
//
//     devices 0-3   a, 10 minutes more        waiting   c   5 devices
//     device 4      b, 30 minutes more                  d   3 devices, 20 minutes
//     devices 5-7   free                                e   3 devices, 5 minutes
//
// c finds 3 devices and needs 5. When a ends there are 7: so c starts in 10 minutes, and 2 are to spare. d
// would still run then, on 3: it waits. e will have ended: it starts on 5-7. A task of 2 devices might start,
// however long it takes, for it leaves c's alone (`spare`). One whose duration is not known ends too late.
//
// Devices are kept for the first alone (`kept_until_`): whoever kept some for the second, too, would soon let
// nobody pass. But each task that wants hosts for itself bars those that will be empty first, until they are.
//
// A pass looks at each task that waits once. It is gone through anew when a task ends, or when one begins
// that changes what is kept. In between nothing gets better for a task that
// found no place, nor for the others of its kind, which are not looked at either (`failure_of`): so 4,000
// cases on 1,000 hosts are seconds and not hours (decision 15).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "gate/base/time.h"
#include "gate/model/runs/device.h"
#include "gate/schedule/schedule.h"
#include "host_load.h"

namespace gate::schedule {

// A host with what is kept of it for tasks that wait.
struct HostPlace {
  HostLoad load;
  bool is_barred = false;         // nothing may start
  std::optional<int> spare = {};  // it is kept for a task with devices: what is left beside that one
};

// The tasks and the resources must outlive it.
class Chooser {
 public:
  Chooser(const std::vector<Task>& tasks, const Resources& resources, const State& state);

  // Return what starts next, as `next` does. What has to wait is not looked at again before that may change.
  std::optional<Start> choose();
  void begin(const Start& start, Duration end);
  void end(const Start& start, Duration now);

 private:
  // Tasks of one kind find the same places. The port is one that more than one task fixes.
  using Kind =
      std::tuple<Shape, bool, std::optional<int>, const std::vector<DeviceId>&, const std::vector<int>&>;
  // Which of a kind found none in this pass: those that do not end before what is kept is needed, or all.
  enum class Failure { none, long_ones, all };

  void begin_pass();
  std::optional<Start> start_of(std::size_t index);
  bool must_wait(const Task& task) const;
  Failure& failure_of(std::size_t index);
  bool ends_by_then(const Task& task) const;
  HostPlace* place_on(int host);
  bool is_refused(std::size_t index) const;

  // The hosts that the task may ever have while it waits.
  std::vector<HostPlace*> candidates(std::size_t index);
  bool is_open(const HostPlace& place, const Task& task) const;
  // Those of them on which its nodes start now; none if too few are open.
  std::vector<HostPlace*> best(const Task& task, const std::vector<HostPlace*>& candidates) const;

  void keep(const Task& task, const std::vector<HostPlace*>& candidates);
  void keep_hosts(const Task& task, const std::vector<HostPlace*>& candidates);
  void keep_devices(const Task& task, const std::vector<HostPlace*>& candidates);

  const std::vector<Task>& tasks_;
  const Resources& resources_;
  std::vector<HostPlace> places_;  // by their hosts
  std::vector<std::size_t> waiting_;
  std::set<std::pair<std::size_t, int>> refused_;  // task, host
  std::vector<bool> is_pending_;                   // by task: it waits or runs
  std::multiset<std::size_t> logs_;                // of what runs
  std::map<int, int> port_users_;                  // how many tasks fix the port
  std::map<Kind, std::size_t> kinds_;
  std::vector<std::optional<std::size_t>> kind_of_;  // by task, as far as known
  std::vector<Failure> failures_;                    // by kind
  std::size_t at_ = 0;                               // among those that wait: all before must wait on
  Duration now_{};
  std::optional<Duration> kept_until_;  // when the task for which devices are kept has all of them
  bool has_kept_nothing_ = false;       // for a task that wants hosts for itself: what starts may change that
};

}  // namespace gate::schedule
