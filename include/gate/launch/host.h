// What this host is, as far as its files say: its name, and the device nodes of accelerators. What the
// vendors' tools know of the devices is not asked here.
#pragma once

#include <map>
#include <string>

namespace gate::launch {

struct HostFacts {
  std::string name;
  std::map<std::string, int>
      device_nodes;  // vendor (`ascend`, `nvidia`, `amd`) -> how many; absent: none attached
};

HostFacts read_host();

// Return the vendor of a device node's file name below /dev (`davinci3`, `nvidia0`, `kfd`), or "".
std::string vendor_of_node(const std::string& file_name);

}  // namespace gate::launch
