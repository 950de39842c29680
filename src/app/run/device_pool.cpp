#include "app/run/device_pool.h"

#include <unistd.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/devices/idle.h"
#include "gate/devices/ports.h"
#include "gate/model/step_set.h"

namespace gate::app {

namespace {

constexpr Duration ask_every{1000};  // a tool
constexpr Duration look_every{50};   // for a signal
constexpr const char* turn_lease = "turn";
constexpr int first_port = 29500, last_port = 29999;

bool uses_devices(const RunPlan& plan) {
  return std::any_of(plan.cases.begin(), plan.cases.end(), [](const PlannedCase& planned) {
    return planned.placement.kind == Placement::Kind::run && !planned.placement.shape.is_on_cpu();
  });
}

// Return `devices 0-3: why; device 6: why`.
std::string reason_words(const std::map<DeviceId, std::string>& reasons) {
  std::map<std::string, std::vector<std::int64_t>> devices;
  for (const auto& [device, why] : reasons) devices[why].push_back(device.index);
  std::vector<std::string> words;
  for (const auto& [why, indices] : devices)
    words.push_back((indices.size() > 1 ? "devices " : "device ") + to_string(StepSet(indices)) + ": " + why);
  return join(words, "; ");
}

bool is_again_ours(const devices::Leases::Displaced& lease) { return !lease.by && lease.trouble.empty(); }

std::string fate_of(const devices::Leases::Displaced& lease) {
  if (lease.by) return "; " + to_string(*lease.by) + " has it now";
  if (!is_again_ours(lease)) return "; it cannot be taken again: " + lease.trouble;
  return " and is taken again; another gate may have had it meanwhile";
}

// Returns false where the wait was given up.
bool pause(const Patience& patience, const SteadyTime& time) {
  const auto end = time.now() + ask_every;
  while (time.now() < end && !patience.given_up()) time.sleep(look_every);
  return !patience.given_up();
}

}  // namespace

DevicePool::DevicePool(std::vector<Device> all, const Environment& machine, std::string run)
    : all_(std::move(all)), machine_(&machine), run_(std::move(run)), shared_(std::make_unique<Shared>()) {}

Answer<DevicePool> DevicePool::open(const RunPlan& plan, const Environment& machine, const std::string& run) {
  DevicePool seats(plan.devices, machine, run);
  for (const PlannedCase& planned : plan.cases)
    if (planned.fixed_port) seats.shared_->fixed.insert(*planned.fixed_port);
  Result<devices::Leases> leases = machine.host.leases();
  if (leases)
    seats.shared_->leases.emplace(std::move(*leases));
  else if (uses_devices(plan))
    return infra(leases.error());
  else
    seats.note("", leases.error().message + "; until then no port is this gate's alone");
  return seats;
}

const Device& DevicePool::device(const DeviceId& id) const {
  return *std::find_if(all_.begin(), all_.end(), [&](const Device& one) { return one.id() == id; });
}

devices::Holder DevicePool::holder_for(const PlannedCase& planned) const {
  return {::getpid(), machine_->host.facts().name, machine_->user,
          run_,       planned.spec->name,          to_iso(machine_->now())};
}

// All or none.
std::vector<DeviceId> DevicePool::lease_all(const std::vector<Device>& wanted, const devices::Holder& me,
                                            std::string& error) {
  std::vector<DeviceId> held;
  std::vector<std::string> taken;
  for (const Device& device : wanted) {
    const auto holder = shared_->leases->take(devices::lease_of(device), me);
    if (!holder) error = holder.error().message;
    if (holder && *holder) held.push_back(device.id());
    if (holder && !*holder) taken.push_back(devices::lease_of(device));
  }
  if (!held.empty())
    for (const std::string& name : taken) shared_->leases->give_back(name);
  return held;
}

bool DevicePool::is_others_turn() const {
  return shared_->turn == nullptr && shared_->leases->holder(turn_lease).has_value();
}

void DevicePool::see_refused(const PlannedCase& planned, const devices::Holder& me) {
  const auto since = shared_->refused.try_emplace(&planned, machine_->time.now()).first->second;
  if (shared_->turn != nullptr || machine_->time.now() - since < planned.spec->settings.idle_wait) return;
  const auto holder = shared_->leases->take(turn_lease, me);
  if (holder && !*holder) shared_->turn = &planned;
}

void DevicePool::end_turn(const PlannedCase& planned) {
  shared_->refused.erase(&planned);
  shared_->without_port.erase(&planned);
  if (shared_->turn == &planned) shared_->leases->give_back(turn_lease), shared_->turn = nullptr;
}

// The one that the script insists on, else one that no script of the plan does, nobody leases, and nobody
// listens on. Returns false where another gate has the very port.
bool DevicePool::take_port(const std::optional<int>& fixed, const devices::Holder& me, Reservation& seat) {
  for (int port = fixed.value_or(first_port); port <= fixed.value_or(last_port); ++port) {
    const bool taken = shared_->ports.contains(port) || shared_->fixed.contains(port);
    if (!fixed && (taken || !devices::is_free(port))) continue;
    if (shared_->leases) {
      const auto holder = shared_->leases->take(devices::lease_of_port(port), me);
      if (holder && *holder) continue;
      if (!holder)
        note("port", holder.error().message + "; another gate may use port " + std::to_string(port));
    }
    shared_->ports.insert(port);
    seat.port = port;
    return seat.has_port = true;
  }
  return !fixed;
}

std::optional<std::vector<DeviceId>> DevicePool::take(const PlannedCase& planned,
                                                      const std::vector<DeviceId>& wanted, bool alone) {
  const std::lock_guard lock(shared_->mutex);
  const devices::Holder me = holder_for(planned);
  Reservation seat;
  seat.alone = alone && !wanted.empty();
  for (const DeviceId& id : wanted) seat.devices.push_back(device(id));
  if (shared_->leases && !wanted.empty()) {
    const std::vector<DeviceId> held =
        is_others_turn() ? wanted : lease_all(seat.alone ? all_ : seat.devices, me, seat.error);
    if (!held.empty()) return see_refused(planned, me), held;
  }
  if (!take_port(planned.fixed_port, me, seat)) {
    shared_->without_port.insert(&planned);
    return give_back(seat), std::vector<DeviceId>();
  }
  end_turn(planned);
  shared_->seats[&planned] = std::move(seat);
  return std::nullopt;
}

void DevicePool::give_back(const Reservation& seat) {
  if (seat.has_port) shared_->ports.erase(seat.port);
  if (!shared_->leases) return;
  if (seat.has_port) shared_->leases->give_back(devices::lease_of_port(seat.port));
  for (const Device& device : seat.alone ? all_ : seat.devices)
    shared_->leases->give_back(devices::lease_of(device));
}

void DevicePool::give_up(const PlannedCase& planned) {
  const std::lock_guard lock(shared_->mutex);
  end_turn(planned);
}

Reservation DevicePool::seat(const PlannedCase& planned) const {
  const std::lock_guard lock(shared_->mutex);
  const auto it = shared_->seats.find(&planned);
  return it == shared_->seats.end() ? Reservation{} : it->second;
}

std::map<DeviceId, std::string> DevicePool::busy(const std::vector<Device>& wanted) const {
  const devices::Attached now = machine_->host.inventory();
  std::map<DeviceId, std::string> found;
  for (const Device& device : wanted) {
    const auto it = std::find_if(now.devices.begin(), now.devices.end(),
                                 [&](const Device& one) { return is_same(one, device); });
    if (it == now.devices.end())
      found[device.id()] = now.faults.empty() ? "it is not there any more" : now.faults.front().text;
    else if (it->index != device.index)
      found[device.id()] = "its number is " + std::to_string(it->index) + " now";
    else if (const auto sick = devices::sickness(*it))
      found[device.id()] = *sick;
    else if (const auto user = devices::occupation(*it))
      found[device.id()] = *user;
  }
  return found;
}

std::map<DeviceId, std::string> DevicePool::wait_until_idle(const std::vector<Device>& wanted,
                                                            const Patience& patience) const {
  const auto end = machine_->time.now() + patience.limit;
  std::string told;
  for (;;) {
    std::map<DeviceId, std::string> now = busy(wanted);
    if (now.empty() || machine_->time.now() >= end) return now;
    const std::string words = reason_words(now);
    if (words != told) patience.tell(words);
    told = words;
    if (!pause(patience, machine_->time)) return now;
  }
}

Status DevicePool::make_ready(const PlannedCase& planned, bool whole_host, const Patience& patience) {
  const Reservation mine = seat(planned);
  if (mine.devices.empty()) return {};
  if (!mine.error.empty()) return fail(mine.error);
  const auto still = wait_until_idle(whole_host ? all_ : mine.devices, patience);
  if (!still.empty())
    return fail("not idle within " + to_string(patience.limit) + ": " + reason_words(still));
  const std::lock_guard lock(shared_->mutex);
  shared_->seats[&planned].ready = true;
  return {};
}

// Return why no case may use these devices any more.
std::map<DeviceId, std::string> DevicePool::spoiled(const Reservation& mine, Patience patience) const {
  if (mine.devices.empty()) return {};
  if (patience.given_up()) return {};
  if (!mine.ready) patience.limit = {};
  std::map<DeviceId, std::string> dirty = wait_until_idle(mine.devices, patience);
  if (patience.given_up()) return {};
  for (auto& [device, why] : dirty)
    why = (mine.ready ? "it was not idle " + to_string(patience.limit) + " after this one: " : "") + why;
  return dirty;
}

std::map<DeviceId, std::string> DevicePool::leave(const PlannedCase& planned, const Patience& patience) {
  const Reservation mine = seat(planned);
  std::map<DeviceId, std::string> dirty = spoiled(mine, patience);
  const std::lock_guard lock(shared_->mutex);
  shared_->seats.erase(&planned);
  give_back(mine);
  return dirty;
}

void DevicePool::note(const std::string& lease, const std::string& words) {
  if (std::exchange(shared_->told[lease], words) != words) shared_->to_tell.push_back(words);
}

void DevicePool::note(const devices::Leases::Displaced& displaced) {
  const auto is_its = [&](const Device& one) { return devices::lease_of(one) == displaced.name; };
  const auto device = std::ranges::find_if(all_, is_its);
  const std::string whose = device == all_.end() ? "" : "device " + std::to_string(device->index) + ": ";
  const std::string words = whose + "the lease " + displaced.name + " was removed from " +
                            shared_->leases->folder() + fate_of(displaced);
  note(displaced.name, words);
  if (is_again_ours(displaced)) shared_->told.erase(displaced.name);
  for (auto& [planned, seat] : shared_->seats) {
    const bool holds_it = std::ranges::any_of(seat.alone ? all_ : seat.devices, is_its);
    if (holds_it && (seat.doubts.empty() || seat.doubts.back() != words)) seat.doubts.push_back(words);
  }
}

std::vector<std::string> DevicePool::look() {
  const std::lock_guard lock(shared_->mutex);
  if (shared_->leases)
    for (const devices::Leases::Displaced& displaced : shared_->leases->retake()) note(displaced);
  return std::exchange(shared_->to_tell, {});
}

std::string DevicePool::holders(const std::vector<DeviceId>& devices) const {
  const std::lock_guard lock(shared_->mutex);
  if (!shared_->leases) return "";
  std::map<DeviceId, std::string> reasons;
  for (const DeviceId& id : devices)
    if (const auto holder = shared_->leases->holder(devices::lease_of(device(id))))
      reasons[id] = to_string(*holder);
  std::vector<std::string> words;
  if (!reasons.empty()) words.push_back(reason_words(reasons));
  for (const PlannedCase* planned : shared_->without_port)
    if (const auto holder = shared_->leases->holder(devices::lease_of_port(*planned->fixed_port)))
      words.push_back("port " + std::to_string(*planned->fixed_port) + ": " + to_string(*holder));
  const auto turn = shared_->turn == nullptr ? shared_->leases->holder(turn_lease) : std::nullopt;
  if (turn) words.push_back("the turn of " + to_string(*turn));
  return join(words, "; ");
}

}  // namespace gate::app
