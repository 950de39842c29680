// A tolerance with numbers put in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/model/numbers/sample.h"
#include "gate/model/rules/rule.h"

namespace gate::render {

struct FormulaOperands {
  std::optional<Value> actual;
  std::optional<Value> baseline;
  std::optional<Value> limit = {};  // where the one bound is known as a number; none: to be computed
  std::optional<bool> holds = {};   // what the check says; none: to be computed, in decimals
};

// Return the bounds of the tolerance, one line each, those after the first led by `or` or `and`; where the
// check does not hold, none of its alternatives does, and `and` leads them:
//   ±0.01    |10.47114 - 10.46010| = 0.01104 > 0.01
//   ±2%      |10.7 - 10.4| = 0.3 > 2 % of |10.4| = 0.208
//   -5%      127.40 >= 134.17 - 5 % = 127.4615 is false
//   exact    1.5 == 1.25 is false
//   >= 0.75  0.7 >= 0.75 is false
// A value that is no number gives one line that says so. `limit` is used where the tolerance is a single
// bound.
std::vector<Sentence> formula(const Tolerance& tolerance, const FormulaOperands& operands);

}  // namespace gate::render
