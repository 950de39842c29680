// Step numbers for lists that carry none.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/runs/baseline.h"

namespace gate::schema {

// Return the steps of words such as `2-15` or `1-7, 9-15`: at least one, above 0, rising.
Result<std::vector<std::int64_t>> read_steps(std::string_view words);

// Tell whether a series by step has positions in a list for its numbers.
bool has_positions(const Baseline& baseline);

// Give the k-th position of every such series the k-th step, of a shorter list that is of the last steps so
// many of these; they are assumed no longer. Fails, and changes nothing, where another list has not as many
// positions as there are steps. `warm_up` and reports stay.
Status number_positions(Baseline& baseline, std::span<const std::int64_t> steps);

}  // namespace gate::schema
