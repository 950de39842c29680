// What the processes of a stuck script are doing, while they still do it.
#pragma once

#include <string>
#include <vector>

#include "launch/proc.h"

namespace gate::launch {

// Return one line for each process and each of its threads: state, and what it waits for in the kernel; with
// the kernel's stack below it where this user may see that. At most 64 processes of 64 threads each; what is
// left out is said.
std::vector<std::string> evidence_of(const std::vector<ProcEntry>& processes);

}  // namespace gate::launch
