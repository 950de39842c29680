// The rules that hold where nobody says otherwise.
#pragma once

#include <string_view>
#include <vector>

#include "gate/model/rule.h"

namespace gate::judge {

// The rule that holds for every metric of kind accuracy, and so names none (judge/rules/finite.h).
inline constexpr std::string_view finite_rule = "finite";

// Return the built-in rules: lm_loss; throughput, else tokens_per_second, samples_per_second or
// iteration_time (group `speed`); memory_allocated and memory_max_allocated, else the maximum of
// memory_max_reserved or of memory_reserved (group `memory`); finite.
std::vector<Rule> built_in_rules();

}  // namespace gate::judge
