// The vendors' tools, a row each.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/device.h"
#include "gate/model/tool_answer.h"

namespace gate::devices {

using Devices = std::vector<Device>;

// Return the devices that the tool lists, in its order and with their index. Fails where the tool does, and
// where what it prints is not understood.
Result<Devices> ask_npu_smi(const AskTool& ask);
Result<Devices> ask_nvidia_smi(const AskTool& ask);
Result<Devices> ask_rocm_smi(const AskTool& ask);
Result<Devices> ask_amd_smi(const AskTool& ask);

struct ToolRow {
  std::string_view vendor;
  std::string_view tool;
  Result<Devices> (*ask)(const AskTool&);
};

// Of two tools of one vendor the second is asked where the first is not there or lists nothing.
inline constexpr std::array<ToolRow, 4> tools{{
    {"ascend", "npu-smi", ask_npu_smi},
    {"nvidia", "nvidia-smi", ask_nvidia_smi},
    {"amd", "rocm-smi", ask_rocm_smi},
    {"amd", "amd-smi", ask_amd_smi},
}};

}  // namespace gate::devices
