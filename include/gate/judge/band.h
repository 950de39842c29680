// Between which values a tolerance lets a value lie, for drawing: nothing is judged by it.
#pragma once

#include <optional>
#include <string_view>

namespace gate::judge {

struct Band {
  std::optional<double> low, high;  // none: unbounded
};

// Return the hull of the intervals that the tolerance, as written, leaves around the baseline value (which
// constants can do without). Unbounded on both sides for a tolerance that cannot be read.
Band band_of(std::string_view tolerance, std::optional<double> baseline);

}  // namespace gate::judge
