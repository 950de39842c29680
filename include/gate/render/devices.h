// Devices for people and for programs.
#pragma once

#include <string>

#include "gate/model/runs/device.h"
#include "gate/render/reporters.h"

namespace gate::render {

// Return a table with a line for each device, and a line for each fault.
std::string devices_text(const DevicesSeen& seen, const Style& style);

// Return an object on one line: `devices`, each with what is known of it, and `faults`.
std::string devices_json(const DevicesSeen& seen, const std::string& host);

}  // namespace gate::render
