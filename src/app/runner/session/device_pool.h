// What the cases of a run reserve: their devices and ports, leased, found idle before and left idle after.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/devices/leases.h"
#include "gate/places/environment.h"
#include "gate/places/reservation.h"
#include "gate/places/run_plan.h"
#include "gate/schedule/schedule.h"

namespace gate::app {

// What waiting until devices are idle needs of the run.
struct IdleWait {
  Duration limit{};
  std::function<bool()> is_cancelled;               // a signal came, or the run's time is up
  std::function<void(const Sentence& words)> tell;  // why it waits, when that changes
};

// Used by several threads at once.
class DevicePool {
 public:
  // Fails if the leases of a host cannot be used and some case needs a device there.
  static Answer<DevicePool> open(const RunPlan& plan, const Environment& environment, const std::string& run);

  // Reserve devices and a port for the case; all devices of its hosts if it is exclusive. If others have
  // some, or the host cannot be heard at the moment, or the port that its script insists on, nothing is
  // reserved, and the devices that others have are returned; nothing is, and none are, where another gate
  // runs a case that writes an output at the same place. A case that was refused devices for its idle_wait
  // has a priority claim: until it has them no other gate may take any, so that they become free one by one.
  // If the leases cannot be used at all, that is told when the reservation is made ready.
  std::optional<std::vector<DeviceId>> reserve(const PlannedCase& planned, const schedule::Start& start,
                                               bool exclusive);

  // The case will not be launched: it waits for no devices any more.
  void withdraw(const PlannedCase& planned);

  // Return what the case has reserved.
  Reservation reservation(const PlannedCase& planned) const;

  // Wait until the case's devices, or all of the host, are idle. Fails if they are not.
  Status make_ready(const PlannedCase& planned, bool whole_host, const IdleWait& wait);

  // Wait until the devices are idle again after the case, unless they never were, and give them back. Returns
  // those that are not, each with what was seen; none if the wait was cancelled.
  std::map<DeviceId, Sentence> release(const PlannedCase& planned, IdleWait wait);

  // Look after the leases: take those again whose files were removed. Returns what is to be said of them,
  // each once: those, and what cannot be leased at all.
  std::vector<Sentence> poll();

  // Return who holds the devices, for people.
  Sentence holders(const std::vector<DeviceId>& devices) const;

 private:
  struct Shared {
    std::mutex mutex;
    std::map<int, std::unique_ptr<devices::Leases>> leases;  // by host
    std::map<const PlannedCase*, Reservation> reservations;
    std::map<const PlannedCase*, SteadyTime::Point> refused;  // for the first time
    std::set<const PlannedCase*> without_port;                // another gate has the one that they insist on
    std::map<const PlannedCase*, Sentence> without_output;    // another gate's case writes there: who
    const PlannedCase* priority_claim = nullptr;              // the case that has it
    int claim_host = 0;                                       // where
    std::set<std::pair<int, int>> ports;                      // in use: of a host
    std::set<int> fixed;                                      // that scripts of the plan insist on
    std::map<std::string, Sentence> told;                     // lease -> words; "" is all of them
    std::vector<Sentence> to_tell;
  };

  DevicePool(std::vector<Device> all, const Environment& environment, std::string run);
  const Device& device(const DeviceId& id) const;
  std::vector<DeviceId> lease_all(const std::vector<Device>& wanted, const devices::Holder& me,
                                  std::string& error);
  void give_back(const Reservation& reservation);
  bool reserve_outputs(const PlannedCase& planned, const devices::Holder& me);
  void give_back_outputs(const PlannedCase& planned);
  std::optional<std::vector<DeviceId>> reserve_machines(const PlannedCase& planned,
                                                        const schedule::Start& start, bool exclusive,
                                                        const devices::Holder& me);
  void note_refusal(const PlannedCase& planned, int host, const devices::Holder& me);
  std::optional<devices::Holder> claim_of_others(int host) const;
  devices::Leases* leases_of(int host) const;  // null: they cannot be used
  std::vector<Device> reserved_devices(const Reservation& reservation) const;
  void end_claim(const PlannedCase& planned);
  void note(const std::string& lease, const Sentence& words);
  void note(int host, const devices::Leases::Displaced& displaced);
  bool reserve_port(int host, const std::optional<int>& fixed, const devices::Holder& me,
                    Reservation& reservation);
  std::optional<devices::Holder> holder_of_port(int host, int port) const;
  std::map<DeviceId, Sentence> busy(const std::vector<Device>& wanted, const Cut& cut) const;
  std::map<DeviceId, Sentence> wait_until_idle(const std::vector<Device>& wanted, const IdleWait& wait) const;

  std::vector<Device> all_;
  const Environment* environment_;
  std::string run_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace gate::app
