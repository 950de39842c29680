#include "chooser.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace gate::schedule {

namespace {

// The places with the least ranks, by host; none if there are too few.
template <class Rank>
std::vector<HostPlace*> least(std::vector<std::pair<Rank, HostPlace*>> ranked, int nodes) {
  if (static_cast<int>(ranked.size()) < nodes) return {};
  const auto end = ranked.begin() + nodes;
  const auto host = [](const HostPlace* place) { return place->load.id(); };
  std::partial_sort(ranked.begin(), end, ranked.end(), [&](const auto& a, const auto& b) {
    return std::pair(a.first, host(a.second)) < std::pair(b.first, host(b.second));
  });
  std::vector<HostPlace*> places;
  std::transform(ranked.begin(), end, std::back_inserter(places), [](const auto& one) { return one.second; });
  std::ranges::sort(places, {}, host);
  return places;
}

std::vector<DeviceId> of_host(const std::vector<DeviceId>& devices, int host) {
  std::vector<DeviceId> there;
  std::ranges::copy_if(devices, std::back_inserter(there),
                       [&](const DeviceId& device) { return device.host == host; });
  return there;
}

}  // namespace

Chooser::Chooser(const std::vector<Task>& tasks, const Resources& resources, const State& state)
    : tasks_(tasks),
      resources_(resources),
      waiting_(state.waiting),
      is_pending_(tasks.size()),
      kind_of_(tasks.size()) {
  auto device = state.free.begin();
  for (const int host : resources.hosts) {
    const auto is_before = [&](int end) { return device != state.free.end() && device->host < end; };
    while (is_before(host)) ++device;
    std::vector<DeviceId> free;
    for (; is_before(host + 1); ++device) free.push_back(*device);
    places_.push_back({HostLoad(host, std::move(free))});
  }
  for (const Refused& refused : state.refused) refused_.emplace(refused.task, refused.host);
  for (const Task& task : tasks)
    if (task.port) ++port_users_[*task.port];
  for (const std::size_t index : waiting_) is_pending_[index] = true;
  for (const Running& one : state.running) begin({one.task, one.devices, one.hosts}, one.rest);
}

std::optional<Start> Chooser::choose() {
  for (; at_ < waiting_.size(); ++at_)
    if (std::optional<Start> start = start_of(waiting_[at_])) return start;
  return std::nullopt;
}

void Chooser::begin(const Start& start, Duration end) {
  const Task& task = tasks_[start.task];
  std::erase(waiting_, start.task);
  is_pending_[start.task] = true;
  if (task.logs) logs_.insert(*task.logs);
  bool changes_what_is_kept = has_kept_nothing_ || task.logs;  // for one of its group nothing is kept
  for (const int host : start.hosts)
    if (HostPlace* place = place_on(host)) {
      place->load.add({start.task, &task, of_host(start.devices, host), end});
      changes_what_is_kept = changes_what_is_kept || place->spare;
    }
  if (changes_what_is_kept) begin_pass();
}

void Chooser::end(const Start& start, Duration now) {
  const Task& task = tasks_[start.task];
  now_ = now;
  is_pending_[start.task] = false;
  if (task.logs) logs_.erase(logs_.find(*task.logs));
  for (const int host : start.hosts)
    if (HostPlace* place = place_on(host)) place->load.remove(start.task);
  begin_pass();
}

void Chooser::begin_pass() {
  at_ = 0;
  has_kept_nothing_ = false;
  kept_until_.reset();
  for (HostPlace& place : places_) place.is_barred = false, place.spare.reset();
  std::ranges::fill(failures_, Failure::none);
}

std::optional<Start> Chooser::start_of(std::size_t index) {
  const Task& task = tasks_[index];
  if (must_wait(task)) return std::nullopt;
  Failure& failure = failure_of(index);
  if (failure == Failure::all || (failure == Failure::long_ones && !ends_by_then(task))) return std::nullopt;
  const std::vector<HostPlace*> all = candidates(index);
  const std::vector<HostPlace*> places = best(task, all);
  if (places.empty()) {
    const bool is_first = failure == Failure::none;
    if (!is_refused(index)) failure = ends_by_then(task) ? Failure::all : Failure::long_ones;
    if (is_first) keep(task, all);
    return std::nullopt;
  }
  Start start{index};
  for (const HostPlace* place : places) {
    const std::vector<DeviceId> devices = place->load.devices_for(task);
    start.devices.insert(start.devices.end(), devices.begin(), devices.end());
    start.hosts.push_back(place->load.id());
  }
  return start;
}

bool Chooser::must_wait(const Task& task) const {
  return std::ranges::any_of(task.after, [&](std::size_t other) { return is_pending_[other]; }) ||
         (task.logs && logs_.contains(*task.logs));
}

Chooser::Failure& Chooser::failure_of(std::size_t index) {
  std::optional<std::size_t>& kind = kind_of_[index];
  if (!kind) {
    const Task& task = tasks_[index];
    const bool is_shared = task.port && port_users_[*task.port] > 1;
    const Kind key{task.shape, task.exclusive, is_shared ? task.port : std::nullopt, task.chosen, task.hosts};
    kind = kinds_.try_emplace(key, kinds_.size()).first->second;
    failures_.resize(kinds_.size());
  }
  return failures_[*kind];
}

bool Chooser::ends_by_then(const Task& task) const {
  return !kept_until_ || (task.expected > Duration{} && now_ + task.expected <= *kept_until_);
}

HostPlace* Chooser::place_on(int host) {
  const auto place =
      std::ranges::lower_bound(places_, host, {}, [](const HostPlace& one) { return one.load.id(); });
  return place != places_.end() && place->load.id() == host ? &*place : nullptr;
}

bool Chooser::is_refused(std::size_t index) const {
  const auto first = refused_.lower_bound({index, std::numeric_limits<int>::min()});
  return first != refused_.end() && first->first == index;
}

std::vector<HostPlace*> Chooser::candidates(std::size_t index) {
  const Task& task = tasks_[index];
  const bool any_refused = is_refused(index);
  std::vector<HostPlace*> candidates;
  candidates.reserve(task.hosts.empty() ? places_.size() : task.hosts.size());
  const auto add = [&](HostPlace& place) {
    const HostLoad& load = place.load;
    if (!place.is_barred && !(task.port && load.has_port(*task.port)) &&
        !(any_refused && refused_.contains({index, load.id()})))
      candidates.push_back(&place);
  };
  if (task.hosts.empty()) std::ranges::for_each(places_, add);
  for (const int host : task.hosts)
    if (HostPlace* place = place_on(host)) add(*place);
  return candidates;
}

bool Chooser::is_open(const HostPlace& place, const Task& task) const {
  const HostLoad& load = place.load;
  if (std::ranges::binary_search(resources_.engines, load.id())) return load.tasks() < resources_.engine_jobs;
  const bool has_slot = !task.shape.is_on_cpu() || load.cpu_tasks() < resources_.cpu_slots;
  const bool is_alone = load.is_empty() || !(task.exclusive || load.is_exclusive());
  const bool may_pass =
      !place.spare || ends_by_then(task) || (!task.exclusive && task.shape.devices <= *place.spare);
  return load.tasks() < resources_.jobs && has_slot && is_alone && may_pass;
}

std::vector<HostPlace*> Chooser::best(const Task& task, const std::vector<HostPlace*>& candidates) const {
  using Rank = std::pair<std::size_t, bool>;
  std::vector<std::pair<Rank, HostPlace*>> ranked;
  for (HostPlace* place : candidates) {
    if (!is_open(*place, task)) continue;
    if (task.shape.is_on_cpu())
      ranked.emplace_back(Rank{place->load.tasks(), false}, place);
    else if (const std::optional<DeviceFit> fit = place->load.fit(task))
      ranked.emplace_back(Rank{fit->gap, fit->is_off}, place);
  }
  return least(std::move(ranked), task.shape.nodes);
}

// For what names its devices none are kept.
void Chooser::keep(const Task& task, const std::vector<HostPlace*>& candidates) {
  if (task.exclusive)
    keep_hosts(task, candidates);
  else if (!kept_until_ && !task.shape.is_on_cpu() && task.chosen.empty())
    keep_devices(task, candidates);
}

// Nothing is kept where nothing runs: somebody else has what it waits for.
void Chooser::keep_hosts(const Task& task, const std::vector<HostPlace*>& candidates) {
  std::vector<std::pair<std::pair<bool, Duration>, HostPlace*>> ranked;
  for (HostPlace* place : candidates) {
    const HostLoad& load = place->load;
    ranked.emplace_back(std::pair(!load.has_enough_once_empty(task), load.empty_at(now_)), place);
  }
  const std::vector<HostPlace*> places = least(std::move(ranked), task.shape.nodes);
  if (std::ranges::all_of(places, [](const HostPlace* place) { return place->load.is_empty(); })) {
    has_kept_nothing_ = has_kept_nothing_ || !places.empty();
    return;
  }
  for (HostPlace* place : places) place->is_barred = true;
}

// Nothing is kept if what runs will not free enough of them: somebody else has them.
void Chooser::keep_devices(const Task& task, const std::vector<HostPlace*>& candidates) {
  std::vector<std::pair<Duration, HostPlace*>> ranked;
  for (HostPlace* place : candidates)
    if (const std::optional<HostRoom> room = place->load.room_for(task, resources_.jobs, now_))
      ranked.emplace_back(room->at, place);
  for (HostPlace* place : least(std::move(ranked), task.shape.nodes)) {
    const HostRoom room = *place->load.room_for(task, resources_.jobs, now_);
    place->spare = room.spare;
    kept_until_ = std::max(kept_until_.value_or(now_), room.at);
  }
}

}  // namespace gate::schedule
