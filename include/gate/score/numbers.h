// Numbers held against golden numbers, value by value.
#pragma once

#include <string_view>

#include "gate/base/result.h"
#include "gate/model/output.h"
#include "gate/score/metric.h"

namespace gate::score {

// Return what the numbers are worth by a metric of metrics() whose input is numbers. NaN or infinity in the
// actual ones that the golden ones have not at the same place makes the value the worst there is: infinity
// where less is better, else minus infinity. Fails for another metric, for sides of different size or shape,
// and for none at all.
Result<Score> score_numbers(std::string_view metric, const Numbers& actual, const Numbers& golden);

}  // namespace gate::score
