// Versions of the accelerators' software, as their own files say.
#pragma once

#include <string>

#include "gate/base/fs.h"

namespace gate::launch {

// Return the version of the kernel driver: of NVIDIA's /proc/driver/nvidia/version, of Ascend's
// /usr/local/Ascend/driver/version.info, below the root; "" where neither is there or can be understood.
std::string driver_version(const fs::Path& root);

// Return `CANN 8.0.RC2` of ascend_toolkit_install.info below the folder, or `CUDA 12.4.1` of version.json
// below the other one; "" likewise.
std::string toolkit_version(const fs::Path& ascend_toolkit, const fs::Path& cuda);

}  // namespace gate::launch
