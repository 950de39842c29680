// What the devices' tools say while scripts run - memory, utilisation, power, temperature and clock - and how
// busy their hosts are.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "gate/base/cut.h"
#include "gate/base/sentence.h"
#include "gate/base/time.h"
#include "gate/devices/host_usage.h"
#include "gate/judging/run_clocks.h"
#include "gate/model/runs/device.h"

namespace gate::app {

// The devices and their hosts, by number, at one moment.
struct Snapshot {
  SteadyClock::time_point at;
  std::vector<Device> devices = {};
  std::map<int, devices::HostUsage> hosts = {};
};

// Those of a case, each in the order in which its script counts them.
struct CaseHardware {
  std::vector<Device> devices = {};
  std::vector<int> hosts = {};  // of its nodes
};

// Asks again and again, in a thread of its own: neither a slow tool nor one that hangs holds a script up.
class Sampler {
 public:
  using Clock = SteadyClock;

  // `read` need not say the time. No tool is waited for where this goes.
  Sampler(std::function<Snapshot(const Cut&)> read, Duration every);

  // Return what was seen since then, in order.
  std::vector<Snapshot> snapshots_since(Clock::time_point begin) const;

 private:
  void sample(const std::stop_token& stop);

  const std::function<Snapshot(const Cut&)> read_;
  const Duration every_;
  mutable std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::vector<Snapshot> seen_;
  std::jthread thread_;
};

// Put the readings of a launch that began then into what its log holds, as series of device_memory,
// device_utilization, device_power, device_temperature and device_clock, a rank for each device, and
// host_cpu, host_memory and host_power, a rank for each node: numbered by whole seconds since the launch.
// Readings less than `every` apart are left out.
void add_readings(Extraction& run, const std::vector<Snapshot>& seen, const CaseHardware& hardware,
                  Sampler::Clock::time_point began, Duration every, const MetricTable& metrics);

// Tell where a device at work was clocked down, by a tenth and more: `device 3: clock 1980 -> 1410 MHz during
// steps 8-15`; nothing if none was. Steps are those that came in during that time.
std::vector<Sentence> clocked_down(const std::vector<Snapshot>& seen, const std::vector<Device>& devices,
                                   Sampler::Clock::time_point began, const std::vector<Arrival>& arrivals);

}  // namespace gate::app
