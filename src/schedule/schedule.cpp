#include "gate/schedule/schedule.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <tuple>

namespace gate::schedule {

namespace {

bool contains(const std::vector<std::size_t>& tasks, std::size_t task) {
  return std::ranges::find(tasks, task) != tasks.end();
}

// The devices free from here on without a gap: `3 4 5` begins three.
std::size_t unbroken(std::span<const DeviceId> free, std::size_t from) {
  std::size_t count = 1;
  const auto is_next = [&](const DeviceId& device) {
    return device.host == free[from].host && device.index == free[from].index + static_cast<int>(count);
  };
  while (from + count < free.size() && is_next(free[from + count])) ++count;
  return count;
}

// Neighbours, such as 4-7: from the smallest gap that holds them, on a multiple of their count if that is
// possible.
std::vector<DeviceId> neighbours(std::span<const DeviceId> free, std::size_t count) {
  using Score = std::tuple<std::size_t, bool, std::size_t>;
  Score best{std::numeric_limits<std::size_t>::max(), true, free.size()};
  for (std::size_t begin = 0; begin < free.size();) {
    const std::size_t length = unbroken(free, begin);
    for (std::size_t i = begin; i + count <= begin + length; ++i)
      best = std::min(best, Score{length, free[i].index % static_cast<int>(count) != 0, i});
    begin += length;
  }
  const auto at = free.begin() + static_cast<std::ptrdiff_t>(std::get<2>(best));
  return at == free.end() ? std::vector<DeviceId>()
                          : std::vector<DeviceId>(at, at + static_cast<std::ptrdiff_t>(count));
}

// So many of one host's: neighbours if there are any, else the first ones; none if too few are free.
std::vector<DeviceId> on_one_host(std::span<const DeviceId> free, std::size_t count) {
  if (free.size() < count) return {};
  std::vector<DeviceId> devices = neighbours(free, count);
  if (devices.empty()) devices.assign(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(count));
  return devices;
}

// Each node's devices are of one host, and no two nodes share one.
std::optional<std::vector<DeviceId>> pick(const Task& task, const std::vector<DeviceId>& free) {
  if (!task.chosen.empty()) {
    std::vector<DeviceId> chosen = task.chosen;
    std::ranges::sort(chosen);
    if (!std::ranges::includes(free, chosen)) return std::nullopt;
    return task.chosen;
  }
  const auto each = static_cast<std::size_t>(task.shape.devices);
  const auto all = static_cast<std::size_t>(task.shape.all_devices());
  std::vector<DeviceId> devices;
  for (auto begin = free.begin(); begin != free.end() && devices.size() < all;) {
    const auto end =
        std::find_if(begin, free.end(), [&](const DeviceId& one) { return one.host != begin->host; });
    const std::vector<DeviceId> there = on_one_host({begin, end}, each);
    devices.insert(devices.end(), there.begin(), there.end());
    begin = end;
  }
  if (devices.size() < all) return std::nullopt;
  return devices;
}

// What others may use while devices are kept for a task that waits for them.
struct BackfillWindow {
  Duration until{};       // when the task can start
  std::size_t spare = 0;  // devices that it leaves free then
};

// Nothing is kept if what runs will not free enough of them: somebody else has them.
std::optional<BackfillWindow> backfill_window_of(const Task& task, const State& state) {
  if (!task.chosen.empty()) return std::nullopt;
  std::vector<Running> ends = state.running;
  std::ranges::sort(ends, {}, &Running::rest);
  const auto wanted = static_cast<std::size_t>(task.shape.all_devices());
  std::size_t free = state.free.size();
  for (const Running& running : ends) {
    free += running.devices.size();
    if (free >= wanted) return BackfillWindow{running.rest, free - wanted};
  }
  return std::nullopt;
}

class Chooser {
 public:
  Chooser(const std::vector<Task>& tasks, const Resources& resources, const State& state)
      : tasks_(tasks), resources_(resources), state_(state) {}

  std::optional<Start> choose() {
    if (state_.running.size() >= resources_.jobs ||
        any_running([](const Task& one) { return one.exclusive; }))
      return std::nullopt;
    for (const std::size_t index : state_.waiting) {
      const Task& task = tasks_[index];
      if (contains(state_.refused, index) || must_wait(task)) continue;
      if (task.exclusive && !state_.running.empty()) return std::nullopt;
      if (std::optional<Start> start = task.shape.is_on_cpu() ? on_cpu(index) : on_devices(index))
        return start;
    }
    return std::nullopt;
  }

 private:
  template <class Is>
  bool any_running(const Is& is) const {
    return std::ranges::any_of(state_.running, [&](const Running& one) { return is(tasks_[one.task]); });
  }

  bool must_wait(const Task& task) const {
    const bool early = std::ranges::any_of(task.after, [&](std::size_t other) {
      return contains(state_.waiting, other) ||
             std::ranges::find(state_.running, other, &Running::task) != state_.running.end();
    });
    return early || (task.port && any_running([&](const Task& one) { return one.port == task.port; })) ||
           (task.logs && any_running([&](const Task& one) { return one.logs == task.logs; }));
  }

  std::optional<Start> on_cpu(std::size_t index) const {
    const auto taken = std::ranges::count_if(
        state_.running, [&](const Running& one) { return tasks_[one.task].shape.is_on_cpu(); });
    if (static_cast<std::size_t>(taken) >= resources_.cpu_slots) return std::nullopt;
    return Start{index, {}};
  }

  std::optional<Start> on_devices(std::size_t index) {
    const Task& task = tasks_[index];
    std::optional<std::vector<DeviceId>> devices = pick(task, state_.free);
    if (devices && may_pass(task)) return Start{index, std::move(*devices)};
    if (!devices && !window_) window_ = backfill_window_of(task, state_);
    return std::nullopt;
  }

  bool may_pass(const Task& task) const {
    if (!window_) return true;
    const bool ends_by_then = task.expected > Duration{} && task.expected <= window_->until;
    return ends_by_then || static_cast<std::size_t>(task.shape.all_devices()) <= window_->spare;
  }

  const std::vector<Task>& tasks_;
  const Resources& resources_;
  const State& state_;
  std::optional<BackfillWindow> window_;
};

// Unknown is the mean of the others.
std::vector<Task> with_expectations(std::vector<Task> tasks) {
  constexpr Duration usual = std::chrono::minutes(1);
  Duration sum{};
  std::int64_t known = 0;
  for (const Task& task : tasks) sum += task.expected, known += task.expected > Duration{} ? 1 : 0;
  for (Task& task : tasks)
    if (task.expected <= Duration{}) task.expected = known > 0 ? sum / known : usual;
  return tasks;
}

class Play {
 public:
  Play(const std::vector<Task>& tasks, const Resources& resources, std::vector<std::size_t> order)
      : tasks_(tasks), resources_(resources), state_{std::move(order), {}, resources.devices} {}

  std::vector<PlannedSlot> all() {
    do {
      while (const std::optional<Start> start = next(tasks_, resources_, state_)) begin(*start);
    } while (end_first());
    return std::move(slots_);
  }

 private:
  void begin(const Start& start) {
    const Duration length = tasks_[start.task].expected;
    std::erase(state_.waiting, start.task);
    for (const DeviceId& device : start.devices) std::erase(state_.free, device);
    state_.running.push_back({start.task, start.devices, length});
    slots_.push_back({start.task, now_, now_ + length, start.devices});
  }

  bool end_first() {
    const auto first = std::ranges::min_element(state_.running, {}, &Running::rest);
    if (first == state_.running.end()) return false;
    const Running ended = *first;
    state_.running.erase(first);
    now_ += ended.rest;
    for (Running& running : state_.running) running.rest -= ended.rest;
    state_.free.insert(state_.free.end(), ended.devices.begin(), ended.devices.end());
    std::ranges::sort(state_.free);
    return true;
  }

  const std::vector<Task>& tasks_;
  const Resources& resources_;
  State state_;
  Duration now_{};
  std::vector<PlannedSlot> slots_;
};

// An order, and when its last task ends.
struct Played {
  Duration end{};
  std::vector<std::size_t> order;

  friend bool operator<(const Played& a, const Played& b) { return a.end < b.end; }
};

Played play(const std::vector<Task>& tasks, const Resources& resources, std::vector<std::size_t> order) {
  Played played{{}, order};
  for (const PlannedSlot& slot : Play(tasks, resources, std::move(order)).all())
    played.end = std::max(played.end, slot.end);
  return played;
}

// Move one task at a time to another place, as long as that shortens the whole. The same tasks always come
// out in the same order.
Played improved(const std::vector<Task>& tasks, const Resources& resources, Played best) {
  constexpr std::size_t tries = 200, most = 200;  // more of them are packed well as they are
  const auto packed = std::ranges::count(tasks, false, &Task::exclusive);
  std::minstd_rand random;
  for (std::size_t i = 0; packed > 1 && tasks.size() <= most && i < tries; ++i) {
    std::vector<std::size_t> order = best.order;
    const auto from = order.begin() + static_cast<std::ptrdiff_t>(random() % static_cast<unsigned>(packed));
    const auto to = order.begin() + static_cast<std::ptrdiff_t>(random() % static_cast<unsigned>(packed));
    if (from < to)
      std::rotate(from, from + 1, to + 1);
    else
      std::rotate(to, from, from + 1);
    best = std::min(best, play(tasks, resources, std::move(order)));
  }
  return best;
}

Duration device_time(const Task& task) { return task.expected * std::max(1, task.shape.all_devices()); }

template <class Before>
std::vector<std::size_t> sorted(const std::vector<Task>& tasks, const Before& before) {
  std::vector<std::size_t> all(tasks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::ranges::stable_sort(all, [&](std::size_t a, std::size_t b) {
    if (tasks[a].exclusive != tasks[b].exclusive) return tasks[b].exclusive;
    return before(tasks[a], tasks[b]);
  });
  return all;
}

}  // namespace

std::optional<Start> next(const std::vector<Task>& tasks, const Resources& resources, const State& state) {
  return Chooser(tasks, resources, state).choose();
}

std::vector<std::size_t> order(const std::vector<Task>& tasks, const Resources& resources) {
  const std::vector<Task> known = with_expectations(tasks);
  const auto longer = [](const Task& a, const Task& b) { return a.expected > b.expected; };
  const auto wider = [](const Task& a, const Task& b) {
    return std::pair(a.shape.all_devices(), a.expected) > std::pair(b.shape.all_devices(), b.expected);
  };
  const auto larger = [](const Task& a, const Task& b) { return device_time(a) > device_time(b); };
  Played best = play(known, resources, sorted(known, longer));
  best = std::min(best, play(known, resources, sorted(known, wider)));
  best = std::min(best, play(known, resources, sorted(known, larger)));
  return improved(known, resources, std::move(best)).order;
}

std::vector<PlannedSlot> timeline(const std::vector<Task>& tasks, const Resources& resources,
                                  std::vector<std::size_t> order) {
  return Play(with_expectations(tasks), resources, std::move(order)).all();
}

}  // namespace gate::schedule
