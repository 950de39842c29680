// The arithmetic of formulas.
#pragma once

#include <vector>

#include "gate/judge/formula.h"
#include "gate/model/series.h"

namespace gate::judge {

// Return the formula's value where its metrics, in the order of its terms, have these samples. The first one
// that is not finite is the result; else what is not finite on the way, which nothing that follows mends. How
// finely it is computed: gate/judge/derive.h.
Value evaluate(const Formula& formula, const std::vector<Sample>& operands);

}  // namespace gate::judge
