// Whether what is printed is fine enough for a tolerance to be tested.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "gate/model/series.h"
#include "judge/rules/reference_window.h"

namespace gate::judge {

// Return the exponent of the finest decimal of all values; of no values a very large one.
std::int32_t finest_exponent(std::span<const Series* const> series);

// Return all series of the target's baseline.
std::vector<const Series*> baseline_series(const Target& target);

// Tell whether the tolerance allows more than nothing, and nowhere in the window as much as the finest
// decimal: then "within" could only mean "equal".
bool too_fine(const Rule& rule, const ReferenceWindow& yardstick, std::int32_t finest);

}  // namespace gate::judge
