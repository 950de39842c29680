// Which recorded samples a window means.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gate/model/rule.h"

namespace gate::judge {

// Return the numbers that the window selects among those recorded (rising). `first N` and `last N` count
// them, and `last N` never takes the first; the others compare the numbers themselves. May be empty.
std::vector<std::int64_t> resolve(const Window& window, std::span<const std::int64_t> recorded);

}  // namespace gate::judge
