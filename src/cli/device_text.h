// Devices for people and for programs.
#pragma once

#include <string>

#include "gate/app/devices.h"
#include "gate/render/reporters.h"

namespace gate::cli {

// Return a table with a line for each device, and a line for each fault.
std::string devices_text(const app::DevicesSeen& seen, const render::Style& style);

// Return an object on one line: `devices`, each with what is known of it, and `faults`.
std::string devices_json(const app::DevicesSeen& seen, const std::string& host);

}  // namespace gate::cli
