// A long chart as one that a browser draws at once.
#pragma once

#include <cstddef>

#include "gate/model/chart.h"

namespace gate::render {

// Return the chart with about `most` places (at least 16): the x axis is cut into equal stretches, and of
// each stretch the places stay where any curve has its smallest or its largest value, so that no spike is
// lost. The first and the last place stay, and so do marked ones and both sides of a gap. A chart that is
// short enough is returned as it is.
Chart thinned(const Chart& chart, std::size_t most);

}  // namespace gate::render
