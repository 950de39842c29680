// How a case comes to its devices, and how they come back.
//
// The scheduler chooses by what this gate knows; others' gates, other programs and the tool may know better.
// So a case goes through three gates, of which the first two are asked again and again. Cases a and b want
// both devices of npu1, and bob's gate has device 1:
//
//     reserve(a)      takes the leases of 0 and 1, all or none: 1 is bob's. It gives 0 back, and returns {1}:
//                     the scheduler tries another case, and a again later
//     reserve(a)      refused for longer than its idle_wait: it takes the lease `turn`, of which a host has
//                     one. While it has it no other gate takes any: bob's next case waits, so 1 becomes
//                     free, though bob would have used it again, and 0 is not lost to a small case
//     reserve(a)      has both, and a port; gives `turn` back
//     make_ready(a)   asks the tool until nothing runs on them: a lease says who may, not who does
//     (launch)
//     release(a)      asks the tool again: what still runs there is a's own. Only then are they given back; a
//                     device that does not become idle is contaminated: no further case of this run gets it
//
// One mutex holds all of it, so a host that does not answer must not hold the mutex: each question has a
// limit, the next one of a silent host a short one, and a signal ends them (Environment::cut).
//
// poll() takes leases again whose files were removed. Where another gate was faster, both cases have the
// device: the reservation has a doubt from then on, which its report says.
#include "runner/session/device_pool.h"

#include <unistd.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/devices/idle.h"
#include "gate/devices/ports.h"
#include "gate/model/numbers/step_set.h"

namespace gate::app {

namespace {

constexpr Duration query_every{1000};  // a tool
constexpr Duration check_every{50};    // for a signal
constexpr const char* claim_lease = "turn";
constexpr int first_port = 29500, last_port = 29999;

// Return `npu1 `; "" for the host that gate runs on.
std::string of_host(const Hosts& hosts, int host) {
  const std::string name = hosts.far_name(host);
  return name.empty() ? "" : name + " ";
}

// Return `devices 0-3: why; npu1 device 6: why`.
Sentence reason_words(const Hosts& hosts, const std::map<DeviceId, Sentence>& reasons) {
  std::map<std::pair<int, std::string>, std::pair<std::vector<std::int64_t>, Sentence>> devices;
  for (const auto& [device, why] : reasons) {
    auto& [indices, words] = devices[{device.host, why.english()}];
    indices.push_back(device.index);
    words = why;
  }
  std::vector<Sentence> all;
  for (const auto& [about, devices_and_why] : devices) {
    const auto& [indices, why] = devices_and_why;
    const std::string host = of_host(hosts, about.first), numbers = to_string(StepSet(indices));
    all.push_back(indices.size() > 1 ? say({"{}devices {}: {}", "{}设备 {}：{}"}, host, numbers, why)
                                     : say({"{}device {}: {}", "{}设备 {}：{}"}, host, numbers, why));
  }
  return join(all, semicolon);
}

// The leases of the places where the case's script writes its outputs, as gate's host calls them, and these
// places. What lies in the folders of its run no other gate writes.
std::map<std::string, std::string> output_leases(const PlannedCase& planned) {
  std::map<std::string, std::string> leases;
  for (const auto& [name, output] : planned.spec->settings.outputs) {
    if (output.file.starts_with('{')) continue;
    const std::string folder = fs::folder_before_hole(output.file);
    const std::string place =
        (fs::whole_path(fs::Path(planned.spec->cwd) / folder) / output.file.substr(folder.size()))
            .lexically_normal()
            .string();
    leases["output-" + fs::sha256(place).substr(0, 16)] = place;
  }
  return leases;
}

}  // namespace

DevicePool::DevicePool(std::vector<Device> all, const Environment& environment, std::string run)
    : all_(std::move(all)),
      environment_(&environment),
      run_(std::move(run)),
      shared_(std::make_unique<Shared>()) {}

Answer<DevicePool> DevicePool::open(const RunPlan& plan, const Environment& environment,
                                    const std::string& run) {
  DevicePool pool(plan.devices, environment, run);
  bool uses_devices = false;
  std::set<int> used;  // hosts
  for (const PlannedCase& planned : plan.cases) {
    if (planned.fixed_port) pool.shared_->fixed.insert(*planned.fixed_port);
    if (!output_leases(planned).empty()) used.insert(0);
    used.insert(planned.place.hosts.begin(), planned.place.hosts.end());
    uses_devices |= planned.placement.kind == Placement::Kind::run && !planned.placement.shape.is_on_cpu();
  }
  for (const int host : used) {
    Result<std::unique_ptr<devices::Leases>> leases = environment.hosts->at(host).leases(environment.cut());
    if (leases)
      pool.shared_->leases[host] = std::move(*leases);
    else if (uses_devices)
      return infra(leases.error());
    else
      pool.note("",
                say({"{}; until then no port is this gate's alone", "{}；在此之前没有端口是这个 gate 独占的"},
                    leases.error().message));
  }
  return pool;
}

devices::Leases* DevicePool::leases_of(int host) const {
  const auto found = shared_->leases.find(host);
  return found == shared_->leases.end() ? nullptr : found->second.get();
}

std::vector<Device> DevicePool::reserved_devices(const Reservation& reservation) const {
  if (!reservation.exclusive) return reservation.devices;
  std::vector<Device> devices;
  std::ranges::copy_if(all_, std::back_inserter(devices), [&](const Device& device) {
    return std::ranges::find(reservation.hosts, device.host) != reservation.hosts.end();
  });
  return devices;
}

const Device& DevicePool::device(const DeviceId& id) const {
  return *std::ranges::find(all_, id, &Device::id);
}

// All or none.
std::vector<DeviceId> DevicePool::lease_all(const std::vector<Device>& wanted, const devices::Holder& me,
                                            std::string& error) {
  std::map<int, std::vector<Device>> by_host;
  for (const Device& device : wanted) by_host[device.host].push_back(device);
  std::vector<DeviceId> held;
  std::vector<Device> taken;
  for (const auto& [host, there] : by_host) {
    const auto holders = leases_of(host)->take_each(
        texts_of(there, [&](const Device& device) { return devices::lease_of(device); }), me);
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (!holders[i]) error = holders[i].error().message;
      if (holders[i] && *holders[i]) held.push_back(there[i].id());
      if (holders[i] && !*holders[i]) taken.push_back(there[i]);
    }
  }
  if (!held.empty())
    for (const Device& device : taken) leases_of(device.host)->give_back(devices::lease_of(device));
  return held;
}

std::optional<devices::Holder> DevicePool::claim_of_others(int host) const {
  return shared_->priority_claim ? std::nullopt : leases_of(host)->holder(claim_lease);
}

void DevicePool::note_refusal(const PlannedCase& planned, int host, const devices::Holder& me) {
  const auto since = shared_->refused.try_emplace(&planned, environment_->time.now()).first->second;
  if (shared_->priority_claim != nullptr ||
      environment_->time.now() - since < planned.spec->settings.idle_wait)
    return;
  const auto holder = leases_of(host)->take(claim_lease, me);
  if (!holder || *holder) return;
  shared_->priority_claim = &planned;
  shared_->claim_host = host;
}

void DevicePool::end_claim(const PlannedCase& planned) {
  shared_->refused.erase(&planned);
  shared_->without_port.erase(&planned);
  shared_->without_output.erase(&planned);
  if (shared_->priority_claim != &planned) return;
  leases_of(shared_->claim_host)->give_back(claim_lease);
  shared_->priority_claim = nullptr;
}

// The one that the script insists on, else one that no script of the plan does, nobody leases, and nobody
// listens on. Returns false if another gate has the very port.
bool DevicePool::reserve_port(int host, const std::optional<int>& fixed, const devices::Holder& me,
                              Reservation& reservation) {
  devices::Leases* const leases = leases_of(host);
  for (int port = fixed.value_or(first_port); port <= fixed.value_or(last_port); ++port) {
    const bool taken = shared_->ports.contains({host, port}) || shared_->fixed.contains(port);
    if (!fixed && (taken || !environment_->hosts->at(host).is_port_free(port, environment_->cut()))) continue;
    if (leases != nullptr) {
      const auto holder = leases->take(devices::lease_of_port(port), me);
      if (holder && *holder) continue;
      if (!holder)
        note("port", say({"{}; another gate may use port {}", "{}；另一个 gate 可能使用端口 {}"},
                         holder.error().message, port));
    }
    shared_->ports.insert({host, port});
    reservation.port = port;
    return reservation.has_port = true;
  }
  return !fixed;
}

// All or none.
bool DevicePool::reserve_outputs(const PlannedCase& planned, const devices::Holder& me) {
  devices::Leases* const leases = leases_of(0);
  if (leases == nullptr) return true;  // its folder is needed to set outputs aside: that says why
  std::vector<std::string> taken;
  shared_->without_output.erase(&planned);
  for (const auto& [lease, place] : output_leases(planned)) {
    const auto holder = leases->take(lease, me);
    if (!holder)
      note(lease, say({"{}; another gate may write {}", "{}；另一个 gate 可能写 {}"}, holder.error().message,
                      place));
    if (!holder || !*holder) {
      taken.push_back(lease);
      continue;
    }
    shared_->without_output[&planned] = as_is(place) + colon + text(**holder);
    for (const std::string& one : taken) leases->give_back(one);
    return false;
  }
  return true;
}

void DevicePool::give_back_outputs(const PlannedCase& planned) {
  if (devices::Leases* const leases = leases_of(0))
    for (const auto& [lease, place] : output_leases(planned)) leases->give_back(lease);
}

std::optional<std::vector<DeviceId>> DevicePool::reserve(const PlannedCase& planned,
                                                         const schedule::Start& start, bool exclusive) {
  const std::lock_guard lock(shared_->mutex);
  const devices::Holder me{::getpid(),         environment_->host.facts().name, environment_->user, run_,
                           planned.spec->name, to_iso(environment_->now())};
  if (!reserve_outputs(planned, me)) return std::vector<DeviceId>();
  auto held = reserve_machines(planned, start, exclusive, me);
  if (held) give_back_outputs(planned);
  return held;
}

std::optional<std::vector<DeviceId>> DevicePool::reserve_machines(const PlannedCase& planned,
                                                                  const schedule::Start& start,
                                                                  bool exclusive, const devices::Holder& me) {
  if (start.hosts.empty()) {  // a queue finds all that the case needs
    shared_->reservations[&planned].hosts.clear();
    return std::nullopt;
  }
  const int first = start.hosts.front();
  const std::vector<DeviceId>& wanted = start.devices;
  for (const int host : start.hosts)
    if (!environment_->hosts->at(host).is_up()) return wanted;
  Reservation reservation;
  reservation.hosts = start.hosts;
  reservation.exclusive = exclusive && !wanted.empty();
  for (const DeviceId& id : wanted) reservation.devices.push_back(device(id));
  std::vector<DeviceId> held;
  if (leases_of(first) != nullptr && !wanted.empty()) {
    const bool is_claimed =
        std::ranges::any_of(start.hosts, [&](int host) { return claim_of_others(host).has_value(); });
    held = is_claimed ? wanted : lease_all(reserved_devices(reservation), me, reservation.error);
  }
  if (!held.empty()) {
    note_refusal(planned, held.front().host, me);
    return held;
  }
  if (!reserve_port(first, planned.fixed_port, me, reservation)) {
    shared_->without_port.insert(&planned);
    give_back(reservation);
    return std::vector<DeviceId>();
  }
  end_claim(planned);
  shared_->reservations[&planned] = std::move(reservation);
  return std::nullopt;
}

void DevicePool::give_back(const Reservation& reservation) {
  if (reservation.hosts.empty()) return;
  const int first = reservation.hosts.front();
  if (reservation.has_port) shared_->ports.erase({first, reservation.port});
  devices::Leases* const leases = leases_of(first);
  if (leases == nullptr) return;
  if (reservation.has_port) leases->give_back(devices::lease_of_port(reservation.port));
  for (const Device& device : reserved_devices(reservation))
    leases_of(device.host)->give_back(devices::lease_of(device));
}

void DevicePool::withdraw(const PlannedCase& planned) {
  const std::lock_guard lock(shared_->mutex);
  end_claim(planned);
}

Reservation DevicePool::reservation(const PlannedCase& planned) const {
  const std::lock_guard lock(shared_->mutex);
  return value_under(shared_->reservations, &planned);
}

std::map<DeviceId, Sentence> DevicePool::busy(const std::vector<Device>& wanted, const Cut& cut) const {
  std::set<int> hosts;
  for (const Device& device : wanted) hosts.insert(device.host);
  const std::map<int, devices::Attached> inventories = environment_->hosts->inventories(hosts, cut);
  std::map<DeviceId, Sentence> found;
  for (const Device& device : wanted) {
    const devices::Attached& now = inventories.at(device.host);
    const auto it =
        std::ranges::find_if(now.devices, [&](const Device& one) { return is_same(one, device); });
    if (it == now.devices.end())
      found[device.id()] =
          now.faults.empty() ? say({"it is not there any more", "它已不存在"}) : now.faults.front().text;
    else if (it->index != device.index)
      found[device.id()] = say({"its number is {} now", "它的编号现在是 {}"}, it->index);
    else if (const auto sick = devices::sickness(*it))
      found[device.id()] = *sick;
    else if (const auto user = devices::occupation(*it))
      found[device.id()] = *user;
  }
  return found;
}

std::map<DeviceId, Sentence> DevicePool::wait_until_idle(const std::vector<Device>& wanted,
                                                         const IdleWait& wait) const {
  const SteadyTime& time = environment_->time;
  const auto end = time.now() + wait.limit;
  const Cut cut{.stop = [&] { return std::string(wait.is_cancelled() ? "cancelled" : ""); }};
  Sentence told;
  for (;;) {
    std::map<DeviceId, Sentence> now = busy(wanted, cut);
    if (now.empty() || time.now() >= end) return now;
    const Sentence words = reason_words(*environment_->hosts, now);
    if (!(words == told)) wait.tell(words);
    told = words;
    const auto next = time.now() + query_every;
    while (time.now() < next && !wait.is_cancelled()) time.sleep(check_every);
    if (wait.is_cancelled()) return now;
  }
}

Status DevicePool::make_ready(const PlannedCase& planned, bool whole_host, const IdleWait& wait) {
  const Reservation mine = reservation(planned);
  if (mine.devices.empty()) return {};
  if (!mine.error.empty()) return fail(mine.error);
  const auto still =
      wait_until_idle(whole_host ? reserved_devices({mine.hosts, {}, 0, true}) : mine.devices, wait);
  if (!still.empty())
    return fail("not idle within " + to_string(wait.limit) + ": " +
                reason_words(*environment_->hosts, still).english());
  const std::lock_guard lock(shared_->mutex);
  shared_->reservations[&planned].ready = true;
  return {};
}

std::map<DeviceId, Sentence> DevicePool::release(const PlannedCase& planned, IdleWait wait) {
  const Reservation mine = reservation(planned);
  std::map<DeviceId, Sentence> contaminated;  // why no case may use these devices any more
  if (!mine.ready) wait.limit = {};
  if (!mine.devices.empty() && !wait.is_cancelled()) {
    contaminated = wait_until_idle(mine.devices, wait);
    if (wait.is_cancelled()) contaminated.clear();
  }
  for (auto& [device, why] : contaminated)
    if (mine.ready)
      why = say({"it was not idle {} after this one: {}", "它在这个用例之后 {} 仍不空闲：{}"},
                to_string(wait.limit), why);
  const std::lock_guard lock(shared_->mutex);
  shared_->reservations.erase(&planned);
  give_back(mine);
  give_back_outputs(planned);
  return contaminated;
}

void DevicePool::note(const std::string& lease, const Sentence& words) {
  if (!(std::exchange(shared_->told[lease], words) == words)) shared_->to_tell.push_back(words);
}

void DevicePool::note(int host, const devices::Leases::Displaced& displaced) {
  const bool is_again_ours = !displaced.by && displaced.trouble.empty();
  const auto is_its = [&](const Device& one) {
    return one.host == host && devices::lease_of(one) == displaced.name;
  };
  const auto device = std::ranges::find_if(all_, is_its);
  const Sentence prefix =
      device == all_.end() ? Sentence() : say({"device {}: ", "设备 {}："}, device->index);
  Sentence words =
      say({"{}{}the lease {} was removed from {}", "{}{}租用 {} 在 {} 里被删除"},
          of_host(*environment_->hosts, host), prefix, displaced.name, leases_of(host)->folder());
  if (displaced.by)
    words += say({"; {} has it now", "；现在由 {} 租用"}, text(*displaced.by));
  else if (!is_again_ours)
    words += say({"; it cannot be taken again: {}", "；无法再次租用：{}"}, displaced.trouble);
  else
    words += say({" and is taken again; another gate may have had it meanwhile",
                  "，已再次租用；其间另一个 gate 可能用过它"});
  note(displaced.name, words);
  if (is_again_ours) shared_->told.erase(displaced.name);
  for (auto& [planned, reservation] : shared_->reservations) {
    const bool holds_it = std::ranges::any_of(reserved_devices(reservation), is_its);
    if (holds_it && (reservation.doubts.empty() || !(reservation.doubts.back() == words)))
      reservation.doubts.push_back(words);
  }
}

std::vector<Sentence> DevicePool::poll() {
  const std::lock_guard lock(shared_->mutex);
  for (const auto& [host, leases] : shared_->leases)
    for (const devices::Leases::Displaced& displaced : leases->retake()) note(host, displaced);
  return std::exchange(shared_->to_tell, {});
}

Sentence DevicePool::holders(const std::vector<DeviceId>& devices) const {
  const std::lock_guard lock(shared_->mutex);
  std::map<DeviceId, Sentence> reasons;
  std::set<std::string> unheard;
  for (const DeviceId& id : devices) {
    const devices::Leases* const leases = leases_of(id.host);
    if (!environment_->hosts->at(id.host).is_up())
      unheard.insert(environment_->hosts->name(id.host));
    else if (const auto holder = leases ? leases->holder(devices::lease_of(device(id))) : std::nullopt)
      reasons[id] = text(*holder);
  }
  std::vector<Sentence> words;
  for (const std::string& host : unheard)
    words.push_back(say({"{}, which cannot be heard", "收不到消息的 {}"}, host));
  if (!reasons.empty()) words.push_back(reason_words(*environment_->hosts, reasons));
  for (const auto& [planned, held] : shared_->without_output) words.push_back(held);
  for (const PlannedCase* planned : shared_->without_port)
    for (const int host : planned->place.hosts)
      if (const auto holder = holder_of_port(host, *planned->fixed_port))
        words.push_back(say({"{}port {}: {}", "{}端口 {}：{}"}, of_host(*environment_->hosts, host),
                            *planned->fixed_port, text(*holder)));
  for (const auto& [host, leases] : shared_->leases)
    if (const auto claim = environment_->hosts->at(host).is_up() ? claim_of_others(host) : std::nullopt)
      words.push_back(say({"the turn of {}", "轮到 {}"}, text(*claim)));
  return join(words, semicolon);
}

std::optional<devices::Holder> DevicePool::holder_of_port(int host, int port) const {
  const devices::Leases* const leases = leases_of(host);
  const bool can_tell = leases != nullptr && environment_->hosts->at(host).is_up();
  return can_tell ? leases->holder(devices::lease_of_port(port)) : std::nullopt;
}

}  // namespace gate::app
