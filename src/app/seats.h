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

#include "app/run_plan.h"
#include "gate/app/machine.h"
#include "gate/devices/leases.h"

namespace gate::app {

struct Seat {
  std::vector<Device> devices;  // in the order in which the script counts them
  int port = 29500;             // for its MASTER_PORT
  bool alone = false;
  bool ready = false;  // its devices were idle before the launch
};

// What waiting for devices needs of the run.
struct Patience {
  Duration limit{};
  std::function<bool()> given_up;                      // a signal came, or the run's time is up
  std::function<void(const std::string& words)> tell;  // why it waits, when that changes
};

// Used by several threads at once.
class Seats {
 public:
  // Fails where the folder of leases cannot be used and some case needs a device.
  static Answer<Seats> open(const RunPlan& plan, const Machine& machine, const std::string& run);

  // Take devices and a port for the case; all devices of the host where it runs alone. Returns the numbers of
  // devices that other processes hold, and has taken none then. A case that was refused for its idle_wait has
  // its turn: until it has its devices no other gate may take any, so that they become free one by one. Where
  // the leases cannot be used at all, that is told when the seat is made ready.
  std::vector<int> take(const PlannedCase& planned, const std::vector<int>& devices, bool alone);

  // The case will not be launched: it waits for no devices any more.
  void give_up(const PlannedCase& planned);

  // Return the seat that the case has.
  Seat seat(const PlannedCase& planned) const;

  // Wait until the case's devices, or all of the host, are idle. Returns why they are not; "" where they are.
  std::string make_ready(const PlannedCase& planned, bool whole_host, const Patience& patience);

  // Wait until the devices are idle again after the case, unless they never were, and give them back. Returns
  // those that are not, each with what was seen; none where the wait was given up.
  std::map<int, std::string> leave(const PlannedCase& planned, const Patience& patience);

  // Return who holds the devices, for people.
  std::string holders(const std::vector<int>& devices) const;

 private:
  struct Shared {
    std::mutex mutex;
    std::optional<devices::Leases> leases;
    std::string lease_error;
    std::map<const PlannedCase*, Seat> seats;
    std::map<const PlannedCase*, std::chrono::steady_clock::time_point> refused;  // for the first time
    const PlannedCase* turn = nullptr;                                            // whose it is
    std::set<int> ports;
  };

  Seats(std::vector<Device> all, const Machine& machine, std::string run);
  const Device& device(int index) const;
  devices::Holder holder_for(const PlannedCase& planned) const;
  std::vector<int> lease_all(const std::vector<Device>& wanted, const devices::Holder& me);
  std::vector<int> lease_seat(const PlannedCase& planned, const Seat& seat, const devices::Holder& me);
  void see_refused(const PlannedCase& planned, const devices::Holder& me);
  void end_turn(const PlannedCase& planned);
  bool is_others_turn() const;
  int take_port(const std::optional<int>& fixed, const devices::Holder& me);
  std::map<int, std::string> busy(const std::vector<Device>& wanted) const;
  std::map<int, std::string> spoiled(const Seat& mine, Patience patience) const;
  std::map<int, std::string> wait_until_idle(const std::vector<Device>& wanted,
                                             const Patience& patience) const;

  std::vector<Device> all_;
  const Machine* machine_;
  std::string run_;
  std::unique_ptr<Shared> shared_;
};

}  // namespace gate::app
