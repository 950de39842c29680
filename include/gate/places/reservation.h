// What a launch has of its hosts: devices, and a port.
#pragma once

#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/devices/discover.h"

namespace gate::app {

struct Reservation {
  std::vector<int> hosts = {0};  // of its nodes, in their order
  std::vector<Device> devices;   // in the order in which the script counts them
  int port = 29500;              // for its MASTER_PORT
  bool exclusive = false;
  bool ready = false;                 // its devices were idle before the launch
  bool has_port = false;              // taken, for nobody else
  std::string error = {};             // why the leases cannot be used
  std::vector<Sentence> doubts = {};  // why a device may not have been its own all the time
};

}  // namespace gate::app
