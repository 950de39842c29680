// What the vendors' tools print, whatever it is: devices, or a fault. The first byte says which tool it is
// of, and all of it is what a kernel says of its host; nvidia-smi and amd-smi print the rest for each of
// their two queries.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gate/devices/discover.h"
#include "gate/devices/host_usage.h"
#include "gate/devices/idle.h"
#include "gate/devices/leases.h"
#include "targets.h"

namespace {

using namespace gate;

void require(bool holds) {
  if (!holds) std::abort();
}

bool is_plain_text(const std::string& name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") ==
         std::string::npos;
}

}  // namespace

int devices_fuzz(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string output(reinterpret_cast<const char*>(data) + 1, size - 1);
  const char* const names[] = {"npu-smi", "nvidia-smi", "rocm-smi", "amd-smi"};
  const std::string tool = names[data[0] % 4];
  const AskTool ask = [&](const std::vector<std::string>& words) {
    ToolAnswer answer;
    answer.missing = words.front() != tool;
    if (!answer.missing) answer.output = output, answer.exit_code = 0;
    return answer;
  };
  const devices::Attached seen = devices::discover({{"ascend", 1}, {"nvidia", 1}, {"amd", 1}}, ask);
  require(seen.faults.size() >= 2);  // of the vendors whose tools are not there
  require(seen.faults.size() == 3 || !seen.devices.empty());
  for (const Device& device : seen.devices) {
    require(device.index >= 0);
    require(!device.memory_total || *device.memory_total >= 0);
    require(is_plain_text(devices::lease_of(device)));
    require(devices::platform_of(device).find('/') == std::string::npos);
    devices::sickness(device);
    devices::occupation(device);
  }
  devices::visible(seen.devices, output.substr(0, 20));
  if (const auto usage = devices::parse_host_usage(output)) {
    require(usage->busy >= 0 && usage->busy <= usage->all && usage->memory_used.value_or(0) >= 0);
    require(!devices::busy_percent(*usage, *usage));
  }
  require(devices::parse_power_meter(output).value_or(0) >= 0);
  return 0;
}
