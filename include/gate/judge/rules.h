// The rules that hold where nobody says otherwise.
#pragma once

#include <string_view>
#include <vector>

#include "gate/model/numbers/metric.h"
#include "gate/model/rules/rule.h"

namespace gate::judge {

// The rule that holds for every metric of kind accuracy, and so names none (judge/rules/finite.h).
inline constexpr std::string_view finite_rule = "finite";

// That a run which says itself that it did not reach its target is no good run, where no rule is on that
// metric. Like the one above it is a rule of no metric: it is on or off.
inline constexpr std::string_view converged_rule = "converged";

// Return the built-in rules: lm_loss; lm_loss_end; throughput, else tokens_per_second, samples_per_second or
// iteration_time (group `speed`); memory_allocated and memory_max_allocated, else the maximum of
// memory_max_reserved or of memory_reserved (group `memory`); finite; converged.
//
// lm_loss_end is on the rest of the curve, of which lm_loss compares nothing: higher is worse there. It makes
// a check where the baseline has 25 values and more, and each of its window is above 0. As long as gate.toml
// says nothing of it, it gives way to a rule of gate.toml on the metric whose window reaches behind step 15.
std::vector<Rule> built_in_rules();

// Return the rule's metric as the rule takes it: on the rest of a curve lower is better.
Metric metric_of(const Rule& rule, const MetricTable& metrics);

}  // namespace gate::judge
