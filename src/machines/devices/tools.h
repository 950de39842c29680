// The vendors' tools, a row each, and what the output of all of them has in common.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/runs/device.h"
#include "gate/model/runs/tool_answer.h"

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

// Return what the tool printed. Fails where it did not end with 0, with its own words.
Result<std::string> output_of(const AskTool& ask, const std::vector<std::string>& words);

// A line of a tool's table: what stands under each column.
using Row = std::map<std::string, std::string>;

// Return what stands under the column; "" where there is no such.
std::string word_of(const Row& row, const std::string& column);

// Return the number that a word begins with, whatever unit stands behind it: `161.2`, `5000 MiB`. Nothing for
// `-`, `NA`, `[N/A]` and other words, and for what is not finite.
std::optional<double> quantity(std::string_view word);

}  // namespace gate::devices
