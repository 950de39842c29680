// Numbers of a report as people read them.
#pragma once

#include <string>

#include "gate/base/time.h"

namespace gate::render {

// Return the duration in seconds with three decimals: `12.345`.
std::string seconds(Duration duration);

// Return a percentage rounded for a glance: `-0.4 %`, `+28.8 %`, below a tenth `+0.04 %`.
std::string short_percent(double percent);

}  // namespace gate::render
