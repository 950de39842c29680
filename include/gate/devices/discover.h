// The accelerators of this host, as the vendors' tools tell of them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/model/runs/device.h"
#include "gate/model/runs/tool_answer.h"

namespace gate::devices {

struct Attached {
  std::vector<Device> devices;  // by vendor, then index
  std::vector<DeviceFault> faults;
};

// Ask the tool of every vendor that has one on PATH, or device nodes (vendor -> how many). A tool that fails,
// hangs or prints what nobody understands is a fault; so are device nodes of which no tool knows. A tool that
// ends with 0 and lists nothing, where there are no nodes, says that there is no device.
Attached discover(const std::map<std::string, int>& nodes, const AskTool& ask);

// Return the tools of each vendor that discover() asks for.
std::map<std::string, std::vector<std::string>> tools_by_vendor();

// Return the devices that a list as of CUDA_VISIBLE_DEVICES leaves, in its order: indices, or beginnings of
// uuids, up to the first that is none.
std::vector<Device> visible(std::vector<Device> devices, const std::string& list);

// Return the variable by which processes select devices of the vendor, or "".
std::string selection_variable(const std::string& vendor);

// Return what the platform of runs on the device is called: the vendor, and the model in lower case without
// what says only how the card is built (memory, socket): `ascend-910b3`, `nvidia-h100`, `amd-mi300x`.
std::string platform_of(const Device& device);

// Return the vendor that a platform's name begins with.
std::string vendor_of(const std::string& platform);

}  // namespace gate::devices
