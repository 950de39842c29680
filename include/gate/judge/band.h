// Between which values a tolerance lets a value lie, for drawing: nothing is judged by it.
#pragma once

#include <optional>

#include "gate/model/rules/rule.h"

namespace gate::judge {

struct Band {
  std::optional<double> low, high;  // none: unbounded
};

// Return the hull of the intervals that the tolerance leaves around the baseline value (which constants can
// do without). Unbounded on both sides where it has no bounds, or needs a baseline that is not there.
Band band_of(const Tolerance& tolerance, std::optional<double> baseline);

}  // namespace gate::judge
