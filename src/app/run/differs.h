// How a run differs from the one that its baseline was recorded by.
#pragma once

#include <string>
#include <vector>

#include "gate/model/baseline.h"

namespace gate::app {

// Return `CANN 8.0.RC2 -> 8.0.RC3`, `host npu-07 -> npu-08`, `the script changed`, ...: what both are known
// to have, and is not the same.
std::vector<std::string> differences(const Provenance& baseline, const Provenance& run);

}  // namespace gate::app
