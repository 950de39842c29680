// Steps in which a profiler ran: a speed that was measured then says nothing of the training.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/model/numbers/metric.h"
#include "gate/model/numbers/series.h"
#include "gate/model/numbers/step_set.h"

namespace gate {

using ProfiledSteps = std::vector<StepSet::Range>;  // in any order

// Return `steps 9-13, 59-63`, of each range once.
std::string to_string(const ProfiledSteps& steps);

// Return how many steps a sample stands for: the smallest distance of two; 1 of fewer samples.
std::int64_t steps_of_a_sample(const Series& series);

// Leave out of the speeds what was measured while a profiler ran: of one by step each sample that stands for
// such a step, of any other, which is of the whole run, all. What is not finite stays: it is wrong, profiled
// or not. A series may be left without samples.
void leave_out_profiled(std::vector<Series>& all, const ProfiledSteps& profiled, const MetricTable& metrics);

}  // namespace gate
