// How busy a host as a whole is: what its kernel says, and its power meter where it has one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gate::devices {

struct HostUsage {
  double busy = 0, all = 0;                // CPU time of all cores since the start, in ticks
  std::optional<double> memory_used = {};  // MiB that nobody could have without swapping
  std::optional<double> power = {};        // W, of the whole machine
};

// Return the words of the program whose output parse_host_usage reads.
std::vector<std::string> host_usage_command();

// Return what the lines of /proc/stat and /proc/meminfo say (proc(5): of the `cpu` line the idle ticks are
// the fourth and fifth number, those of guests are counted already); nothing without a whole `cpu` line.
std::optional<HostUsage> parse_host_usage(std::string_view text);

// Return the words of the program that asks the machine's power meter.
std::vector<std::string> power_meter_command();

// Return the watts of `Instantaneous power reading: 220 Watts`, or nothing.
std::optional<double> parse_power_meter(std::string_view text);

// Return by how many percent the cores were busy between two moments; nothing where no tick lies between.
std::optional<double> busy_percent(const HostUsage& before, const HostUsage& after);

}  // namespace gate::devices
