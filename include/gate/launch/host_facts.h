// What this host is, as far as its files say: its name, and the device nodes of accelerators. What the
// vendors' tools know of the devices is not asked here.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/base/sentence.h"

namespace gate::launch {

struct HostFacts {
  std::string name;
  std::map<std::string, int>
      device_nodes;  // vendor (`ascend`, `nvidia`, `amd`) -> how many; absent: none attached
  std::vector<Sentence> weaknesses = {};  // of its process control, see weaknesses()
  std::string driver = {};                // of the accelerators: `24.1.rc2`; "" where nobody knows
  std::string toolkit = {};               // `CANN 8.0.RC2`, `CUDA 12.4.1`, `ROCm 6.2.4`; "" likewise
  std::string firmware = {};              // of the accelerators; "" likewise
  std::string kernel = {};                // `5.10.0-60.18.0.50`; "" likewise
};

HostFacts read_host();

// Return the release of the system's kernel, as `uname -r` prints it.
std::string kernel_release();

// What this system offers for keeping hold of a process tree. All of it is there on Linux 5.3 and later,
// unless a container or its seccomp profile takes it away.
struct Abilities {
  bool subreaper = true;  // orphans fall to gate
  bool processes = true;  // /proc lists processes
  bool environs = true;   // /proc/PID/environ of own processes can be read
  bool pidfd = true;      // a process can be waited for and signalled without its number being reused
};

Abilities read_abilities();

// Return what cannot be promised here, a sentence for each ability that is missing; empty where all are
// there.
std::vector<Sentence> weaknesses(const Abilities& abilities);

// Return the vendor of a device node's file name below /dev (`davinci3`, `nvidia0`, `kfd`), or "".
std::string vendor_of_node(const std::string& file_name);

}  // namespace gate::launch
