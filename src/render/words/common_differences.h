// In what the runs of several cases differ alike from those that their baselines were recorded by.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gate/model/report.h"

namespace gate::render {

// Return the differences that at least so many cases have, those that most have first.
std::vector<std::string> common_differences(const Report& report, std::size_t fewest);

// Return `differs from the baselines' runs: torch 2.1.0 -> 2.2.0 (in 30 of 30 cases)` of those differences;
// "" where there are none. Counted are the cases that were judged beside a baseline.
std::string differences_line(const Report& report, const std::vector<std::string>& differences);

}  // namespace gate::render
