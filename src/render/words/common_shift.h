// Suites that move together.
#pragma once

#include <string>
#include <vector>

#include "gate/model/report.h"

namespace gate::render {

// Return, for each metric of which a check failed in three cases at least, `iteration_time: 61 of 65 cases
// moved alike, +8.4 % in the median; look for what they share`: where three of four of all cases that judge
// it moved to the same side by half to one and a half of the median.
std::vector<std::string> common_shift(const Report& report);

}  // namespace gate::render
