// The printable values on both sides of a limit.
#pragma once

#include <cstdint>
#include <optional>

#include "gate/model/decimal.h"
#include "judge/series/limits.h"

namespace gate::judge {

// Return the value exactly on the end of the limits on that side, seen from a value within them; the nearest
// one of `quantum` decimals inside where the end has no finite decimals. Nothing where that side is open.
std::optional<Decimal> on_limit(const Limits& limits, const Number& within, Bound::Side side,
                                std::int32_t quantum);

// Return the nearest value of `quantum` decimals outside of that end.
std::optional<Decimal> beyond_limit(const Limits& limits, const Number& within, Bound::Side side,
                                    std::int32_t quantum);

}  // namespace gate::judge
