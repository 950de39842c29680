#include "gate/schedule/schedule.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <utility>

#include "chooser.h"

namespace gate::schedule {

namespace {

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
      : tasks_(tasks), chooser_(tasks, resources, {.waiting = std::move(order), .free = resources.devices}) {}

  std::vector<PlannedSlot> all() {
    do {
      while (const std::optional<Start> start = chooser_.choose()) begin(*start);
    } while (end_first());
    return std::move(slots_);
  }

 private:
  void begin(const Start& start) {
    const Duration end = now_ + tasks_[start.task].expected;
    chooser_.begin(start, end);
    running_.emplace(end, start);
    slots_.push_back({start.task, now_, end, start.devices, start.hosts});
  }

  bool end_first() {
    if (running_.empty()) return false;
    const auto first = running_.extract(running_.begin());
    now_ = first.key();
    chooser_.end(first.mapped(), now_);
    return true;
  }

  const std::vector<Task>& tasks_;
  Chooser chooser_;
  std::multimap<Duration, Start> running_;  // by when they end
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

// Move one task at a time to another place, as long as that shortens the whole (decision 15). The same tasks
// always come out in the same order.
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
  const std::vector<Task> known = with_expectations(tasks);
  return Play(known, resources, std::move(order)).all();
}

}  // namespace gate::schedule
