// Where the cases of a run sit: their devices and ports, leased, found idle before and left idle after.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/run/run_plan.h"
#include "gate/app/environment.h"
#include "gate/devices/leases.h"

namespace gate::app {

struct Reservation {
  std::vector<Device> devices;  // in the order in which the script counts them
  int port = 29500;             // for its MASTER_PORT
  bool alone = false;
  bool ready = false;                    // its devices were idle before the launch
  bool has_port = false;                 // taken, for nobody else
  std::string error = {};                // why the leases cannot be used
  std::vector<std::string> doubts = {};  // why a device may not have been its own all the time
};

// What waiting for devices needs of the run.
struct Patience {
  Duration limit{};
  std::function<bool()> given_up;                      // a signal came, or the run's time is up
  std::function<void(const std::string& words)> tell;  // why it waits, when that changes
};

// Used by several threads at once.
class DevicePool {
 public:
  // Fails where the folder of leases cannot be used and some case needs a device.
  static Answer<DevicePool> open(const RunPlan& plan, const Environment& machine, const std::string& run);

  // Take devices and a port for the case; all devices of the host where it runs alone. Where others have
  // some, or the port that its script insists on, nothing is taken, and the devices that
  // others have are returned. A case that was refused devices for its idle_wait has its turn: until it has
  // them no other gate may take any, so that they become free one by one. Where the leases cannot be used at
  // all, that is told when the seat is made ready.
  std::optional<std::vector<DeviceId>> take(const PlannedCase& planned, const std::vector<DeviceId>& devices,
                                            bool alone);

  // The case will not be launched: it waits for no devices any more.
  void give_up(const PlannedCase& planned);

  // Return the seat that the case has.
  Reservation seat(const PlannedCase& planned) const;

  // Wait until the case's devices, or all of the host, are idle. Fails where they are not.
  Status make_ready(const PlannedCase& planned, bool whole_host, const Patience& patience);

  // Wait until the devices are idle again after the case, unless they never were, and give them back. Returns
  // those that are not, each with what was seen; none where the wait was given up.
  std::map<DeviceId, std::string> leave(const PlannedCase& planned, const Patience& patience);

  // Look after the leases: take those again whose files were removed. Returns what is to be said of them,
  // each once: those, and what cannot be leased at all.
  std::vector<std::string> look();

  // Return who holds the devices, for people.
  std::string holders(const std::vector<DeviceId>& devices) const;

 private:
  struct Shared {
    std::mutex mutex;
    std::optional<devices::Leases> leases;
    std::map<const PlannedCase*, Reservation> seats;
    std::map<const PlannedCase*, SteadyTime::Point> refused;  // for the first time
    std::set<const PlannedCase*> without_port;                // another gate has the one that they insist on
    const PlannedCase* turn = nullptr;                        // whose it is
    std::set<int> ports;                                      // in use
    std::set<int> fixed;                                      // that scripts of the plan insist on
    std::map<std::string, std::string> told;                  // lease -> words; "" is all of them
    std::vector<std::string> to_tell;
  };

  DevicePool(std::vector<Device> all, const Environment& machine, std::string run);
  const Device& device(const DeviceId& id) const;
  devices::Holder holder_for(const PlannedCase& planned) const;
  std::vector<DeviceId> lease_all(const std::vector<Device>& wanted, const devices::Holder& me,
                                  std::string& error);
  void give_back(const Reservation& seat);
  void see_refused(const PlannedCase& planned, const devices::Holder& me);
  void end_turn(const PlannedCase& planned);
  bool is_others_turn() const;
  void note(const std::string& lease, const std::string& words);
  void note(const devices::Leases::Displaced& displaced);
  bool take_port(const std::optional<int>& fixed, const devices::Holder& me, Reservation& seat);
  std::map<DeviceId, std::string> busy(const std::vector<Device>& wanted) const;
  std::map<DeviceId, std::string> spoiled(const Reservation& mine, Patience patience) const;
  std::map<DeviceId, std::string> wait_until_idle(const std::vector<Device>& wanted,
                                                  const Patience& patience) const;

  std::vector<Device> all_;
  const Environment* machine_;
  std::string run_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace gate::app
