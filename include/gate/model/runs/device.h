// An accelerator, as its vendor's tool tells of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"

namespace gate {

// A process that holds memory of a device. The pid is that of the host, not of a container.
struct DeviceUser {
  std::int64_t pid = 0;
  std::string name;
  std::optional<double> memory;  // MiB
};

// A device among those of all hosts.
struct DeviceId {
  DeviceId() = default;
  DeviceId(int its_index, int its_host = 0) : host(its_host), index(its_index) {}

  int host = 0;   // its place among the run's hosts; 0: the one that gate runs on
  int index = 0;  // as the vendor's selection variable counts it there, from 0
  auto operator<=>(const DeviceId&) const = default;
};

// What a case takes of the hosts.
struct Shape {
  int nodes = 1;
  int devices = 0;  // on each node; 0: it runs on the cpu

  int all_devices() const { return nodes * devices; }
  bool is_on_cpu() const { return devices == 0; }
  auto operator<=>(const Shape&) const = default;
};

// What the tool leaves out is unknown, and never 0.
struct Device {
  std::string vendor;  // ascend, nvidia, amd
  int index = 0;       // as the vendor's selection variable counts it, from 0
  std::string name;    // as people find it: `NPU 0 chip 1`, `GPU 3`
  std::string model;   // as the tool prints it: `910B3`, `NVIDIA H100 80GB HBM3`
  std::string bus;     // PCI address, in lower case: the same in every container of the host; "" is unknown
  std::string uuid;    // "" is unknown
  std::string health;  // as the tool prints it; "" is unknown
  std::optional<double> memory_used;   // MiB
  std::optional<double> memory_total;  // MiB
  std::optional<double> utilization;   // %
  std::optional<double> power;         // W
  std::optional<double> temperature;   // degrees Celsius
  std::optional<double> clock;         // MHz
  std::vector<DeviceUser> users;       // of memory, by compute processes
  int host = 0;                        // its place among the run's hosts

  DeviceId id() const { return {index, host}; }
};

// Why what is attached cannot be told: the driver, the tool, or its output.
struct DeviceFault {
  std::string vendor;  // "" where the host itself cannot be reached
  Sentence text;
  std::string host = "";  // its name; "": the one that gate runs on
};

// A device as `gate devices` shows it.
struct DeviceRow {
  Device device;
  std::string platform;
  Sentence holder;        // who has its lease; "" nobody
  Sentence trouble;       // why no case would be started on it now, besides the lease; "" is nothing
  std::string host = "";  // its name; "": the one that gate runs on
};

struct DevicesSeen {
  std::vector<DeviceRow> rows;
  std::vector<DeviceFault> faults;
};

// Tell whether both are one device: by what does not change while the host is up, else by its number.
inline bool is_same(const Device& a, const Device& b) {
  if (a.host != b.host || a.vendor != b.vendor) return false;
  if (!a.bus.empty() && !b.bus.empty()) return a.bus == b.bus;
  if (!a.uuid.empty() && !b.uuid.empty()) return a.uuid == b.uuid;
  return a.index == b.index;
}

}  // namespace gate
