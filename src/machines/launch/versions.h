// Versions of the accelerators' software, as their own files say.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "launch/rooted_files.h"

namespace gate::launch {

// Tell whether the word may be shown as a version: it begins with a digit, and holds nothing but letters,
// digits and `.-_+!`.
bool is_version(std::string_view word);

// Return the version of the kernel driver: of NVIDIA's /proc/driver/nvidia/version, of Ascend's
// /usr/local/Ascend/driver/version.info, of AMD's /sys/module/amdgpu/version; "" where none is there or can
// be understood.
std::string driver_version(const RootedFiles& files);

// Return the version of the devices' firmware: of Ascend's /usr/local/Ascend/firmware/version.info, of the
// first NVIDIA GPU's video BIOS, of the first AMD GPU's; "" likewise.
std::string firmware_version(const RootedFiles& files);

// Where toolkits are installed.
struct ToolkitHomes {
  std::string ascend = "/usr/local/Ascend/ascend-toolkit/latest";
  std::string cuda = "/usr/local/cuda";
  std::string rocm = "/opt/rocm";
};

// Return where they are according to the variables, of which `value_of` returns the value or "".
ToolkitHomes homes_in(const std::function<std::string(const char* name)>& value_of);

// Return `CANN 8.0.RC2` of ascend_toolkit_install.info, `CUDA 12.4.1` of version.json, or `ROCm 6.2.4` of
// .info/version in these folders; "" likewise.
std::string toolkit_version(const RootedFiles& files, const ToolkitHomes& homes);

}  // namespace gate::launch
