// The charts of a comparison.
#pragma once

#include <vector>

#include "gate/app/compare.h"

namespace gate::app {

// Return a chart for each metric of either side, with curves `A` and `B` and a mark at the first number at
// which any rank differs; what differs comes first. Series by a single number have none.
std::vector<Chart> charts_beside(const ComparedCase& compared, const std::vector<Series>& a,
                                 const std::vector<Series>& b);

}  // namespace gate::app
