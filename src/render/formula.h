// A tolerance with numbers put in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gate::render {

struct Operands {
  std::string actual;
  std::string baseline;
  std::string limit;  // where the one bound is known as a number; "" to compute it
  std::optional<bool>
      holds;  // what the check says of its one bound; none to compute it (exactly, in decimals)
};

// Return the bounds of the tolerance, one line each, those after the first led by `or` or `and`:
//   ±0.01    |10.47114 - 10.46010| = 0.01104 > 0.01
//   ±2%      |10.7 - 10.4| = 0.3 > 2 % of |10.4| = 0.208
//   -5%      127.40 >= 134.17 - 5 % = 127.4615 is false
//   exact    1.5 == 1.25 is false
//   >= 0.75  0.7 >= 0.75 is false
// A value that is no number, or a bound that is none of these, gives one line that says so. `limit` and
// `holds` are used where the tolerance is a single bound.
std::vector<std::string> formula(std::string_view tolerance, const Operands& operands);

}  // namespace gate::render
