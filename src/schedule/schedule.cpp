#include "gate/schedule/schedule.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <tuple>

namespace gate::schedule {

namespace {

bool contains(const std::vector<std::size_t>& works, std::size_t work) {
  return std::find(works.begin(), works.end(), work) != works.end();
}

bool is_running(const State& state, std::size_t work) {
  return std::any_of(state.running.begin(), state.running.end(),
                     [&](const Running& running) { return running.work == work; });
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

// Neighbours, such as 4-7: from the smallest gap that holds them, on a multiple of their count where that is
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

// So many of one host's: neighbours where there are any, else the first ones; none where too few are free.
std::vector<DeviceId> on_one_host(std::span<const DeviceId> free, std::size_t count) {
  if (free.size() < count) return {};
  std::vector<DeviceId> devices = neighbours(free, count);
  if (devices.empty()) devices.assign(free.begin(), free.begin() + static_cast<std::ptrdiff_t>(count));
  return devices;
}

// Each node's devices are of one host, and no two nodes share one.
std::optional<std::vector<DeviceId>> pick(const Task& work, const std::vector<DeviceId>& free) {
  if (!work.chosen.empty()) {
    std::vector<DeviceId> chosen = work.chosen;
    std::sort(chosen.begin(), chosen.end());
    if (!std::includes(free.begin(), free.end(), chosen.begin(), chosen.end())) return std::nullopt;
    return work.chosen;
  }
  const auto each = static_cast<std::size_t>(work.shape.devices);
  const auto all = static_cast<std::size_t>(work.shape.all_devices());
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

// What is kept for a work that waits for devices.
struct Kept {
  Duration until{};       // when it can start
  std::size_t spare = 0;  // devices that it will leave free then
};

// Nothing is kept where what runs will not free enough of them: somebody else has them.
std::optional<Kept> keep_for(const Task& work, const State& state) {
  if (!work.chosen.empty()) return std::nullopt;
  std::vector<Running> ends = state.running;
  std::sort(ends.begin(), ends.end(), [](const Running& a, const Running& b) { return a.rest < b.rest; });
  std::size_t free = state.free.size();
  for (const Running& running : ends) {
    free += running.devices.size();
    const auto wanted = static_cast<std::size_t>(work.shape.all_devices());
    if (free >= wanted) return Kept{running.rest, free - wanted};
  }
  return std::nullopt;
}

class Chooser {
 public:
  Chooser(const std::vector<Task>& works, const Pool& pool, const State& state)
      : works_(works), pool_(pool), state_(state) {}

  std::optional<Start> choose() {
    if (state_.running.size() >= pool_.jobs || any_running([](const Task& one) { return one.alone; }))
      return std::nullopt;
    for (const std::size_t index : state_.waiting) {
      const Task& work = works_[index];
      if (contains(state_.refused, index) || must_wait(work)) continue;
      if (work.alone && !state_.running.empty()) return std::nullopt;
      if (std::optional<Start> start = work.shape.is_on_cpu() ? on_cpu(index) : on_devices(index))
        return start;
    }
    return std::nullopt;
  }

 private:
  template <class Is>
  bool any_running(const Is& is) const {
    return std::any_of(state_.running.begin(), state_.running.end(),
                       [&](const Running& running) { return is(works_[running.work]); });
  }

  bool must_wait(const Task& work) const {
    const bool early = std::any_of(work.after.begin(), work.after.end(), [&](std::size_t other) {
      return contains(state_.waiting, other) || is_running(state_, other);
    });
    return early || (work.port && any_running([&](const Task& one) { return one.port == work.port; })) ||
           (work.logs && any_running([&](const Task& one) { return one.logs == work.logs; }));
  }

  std::optional<Start> on_cpu(std::size_t index) const {
    const auto taken = std::count_if(state_.running.begin(), state_.running.end(),
                                     [&](const Running& one) { return works_[one.work].shape.is_on_cpu(); });
    if (static_cast<std::size_t>(taken) >= pool_.cpu_slots) return std::nullopt;
    return Start{index, {}};
  }

  std::optional<Start> on_devices(std::size_t index) {
    const Task& work = works_[index];
    std::optional<std::vector<DeviceId>> devices = pick(work, state_.free);
    if (devices && may_pass(work)) return Start{index, std::move(*devices)};
    if (!devices && !kept_) kept_ = keep_for(work, state_);
    return std::nullopt;
  }

  bool may_pass(const Task& work) const {
    if (!kept_) return true;
    const bool ends_by_then = work.expected > Duration{} && work.expected <= kept_->until;
    return ends_by_then || static_cast<std::size_t>(work.shape.all_devices()) <= kept_->spare;
  }

  const std::vector<Task>& works_;
  const Pool& pool_;
  const State& state_;
  std::optional<Kept> kept_;
};

// Unknown is the mean of the others.
std::vector<Task> with_expectations(std::vector<Task> works) {
  constexpr Duration usual = std::chrono::minutes(1);
  Duration sum{};
  std::int64_t known = 0;
  for (const Task& work : works) sum += work.expected, known += work.expected > Duration{} ? 1 : 0;
  for (Task& work : works)
    if (work.expected <= Duration{}) work.expected = known > 0 ? sum / known : usual;
  return works;
}

class Play {
 public:
  Play(const std::vector<Task>& works, const Pool& pool, std::vector<std::size_t> order)
      : works_(works), pool_(pool), state_{std::move(order), {}, pool.devices} {}

  std::vector<PlannedSlot> all() {
    do {
      while (const std::optional<Start> start = next(works_, pool_, state_)) begin(*start);
    } while (end_first());
    return std::move(turns_);
  }

 private:
  void begin(const Start& start) {
    const Duration length = works_[start.work].expected;
    std::erase(state_.waiting, start.work);
    for (const DeviceId& device : start.devices) std::erase(state_.free, device);
    state_.running.push_back({start.work, start.devices, length});
    turns_.push_back({start.work, now_, now_ + length, start.devices});
  }

  bool end_first() {
    const auto first = std::min_element(state_.running.begin(), state_.running.end(),
                                        [](const Running& a, const Running& b) { return a.rest < b.rest; });
    if (first == state_.running.end()) return false;
    const Running ended = *first;
    state_.running.erase(first);
    now_ += ended.rest;
    for (Running& running : state_.running) running.rest -= ended.rest;
    state_.free.insert(state_.free.end(), ended.devices.begin(), ended.devices.end());
    std::sort(state_.free.begin(), state_.free.end());
    return true;
  }

  const std::vector<Task>& works_;
  const Pool& pool_;
  State state_;
  Duration now_{};
  std::vector<PlannedSlot> turns_;
};

// An order, and when its last work ends.
struct Played {
  Duration end{};
  std::vector<std::size_t> order;

  friend bool operator<(const Played& a, const Played& b) { return a.end < b.end; }
};

Played play(const std::vector<Task>& works, const Pool& pool, std::vector<std::size_t> order) {
  Played played{{}, order};
  for (const PlannedSlot& turn : Play(works, pool, std::move(order)).all())
    played.end = std::max(played.end, turn.end);
  return played;
}

// Move one work at a time to another place, as long as that shortens the whole. The same works always come
// out in the same order.
Played improved(const std::vector<Task>& works, const Pool& pool, Played best) {
  constexpr std::size_t tries = 200, most = 200;  // more of them are packed well as they are
  const auto packed = std::count_if(works.begin(), works.end(), [](const Task& work) { return !work.alone; });
  std::minstd_rand random;
  for (std::size_t i = 0; packed > 1 && works.size() <= most && i < tries; ++i) {
    std::vector<std::size_t> order = best.order;
    const auto from = order.begin() + static_cast<std::ptrdiff_t>(random() % static_cast<unsigned>(packed));
    const auto to = order.begin() + static_cast<std::ptrdiff_t>(random() % static_cast<unsigned>(packed));
    from < to ? std::rotate(from, from + 1, to + 1) : std::rotate(to, from, from + 1);
    best = std::min(best, play(works, pool, std::move(order)));
  }
  return best;
}

Duration device_time(const Task& work) { return work.expected * std::max(1, work.shape.all_devices()); }

template <class Before>
std::vector<std::size_t> sorted(const std::vector<Task>& works, const Before& before) {
  std::vector<std::size_t> all(works.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::stable_sort(all.begin(), all.end(), [&](std::size_t a, std::size_t b) {
    if (works[a].alone != works[b].alone) return works[b].alone;
    return before(works[a], works[b]);
  });
  return all;
}

}  // namespace

std::optional<Start> next(const std::vector<Task>& works, const Pool& pool, const State& state) {
  return Chooser(works, pool, state).choose();
}

std::vector<std::size_t> order(const std::vector<Task>& works, const Pool& pool) {
  const std::vector<Task> known = with_expectations(works);
  const auto longer = [](const Task& a, const Task& b) { return a.expected > b.expected; };
  const auto wider = [](const Task& a, const Task& b) {
    return std::pair(a.shape.all_devices(), a.expected) > std::pair(b.shape.all_devices(), b.expected);
  };
  const auto larger = [](const Task& a, const Task& b) { return device_time(a) > device_time(b); };
  Played best = play(known, pool, sorted(known, longer));
  best = std::min(best, play(known, pool, sorted(known, wider)));
  best = std::min(best, play(known, pool, sorted(known, larger)));
  return improved(known, pool, std::move(best)).order;
}

std::vector<PlannedSlot> timeline(const std::vector<Task>& works, const Pool& pool,
                                  std::vector<std::size_t> order) {
  return Play(with_expectations(works), pool, std::move(order)).all();
}

}  // namespace gate::schedule
