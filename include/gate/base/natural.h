// The order in which people number files.
#pragma once

#include <string_view>

namespace gate {

// Tell whether `a` comes before `b` where runs of digits count as numbers: worker_2 before worker_10. Names
// that differ in leading zeros only are told apart by them: the order is total.
bool natural_less(std::string_view a, std::string_view b);

}  // namespace gate
