// A baseline as a golden file of the ModelLink family: what its tools read, and people keep in their trees.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/model/runs/baseline.h"

namespace gate::schema {

// Return the formats that can be written, by the names of their profiles: `modellink`.
std::vector<std::string> golden_formats();

// Return the first run of the baseline as the format has it: lists without step numbers, in the order of the
// steps, "nan" where no value was recorded, and the memory of each rank. What the format has no key for is
// left out. read_baseline() reads the same values. Fails where nothing is left.
Result<std::string> write_golden(const Baseline& baseline, std::string_view format);

}  // namespace gate::schema
