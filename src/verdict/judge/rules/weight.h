// How much a check that is not passed weighs beside others: a report shows the heaviest first.
//
// A value that is no number weighs most, then what is missing, then what is out of bounds, by how many
// tolerances it is: |actual - baseline| over the distance from the baseline to the limit on that side. Of
// `exact`, which allows no distance, that is infinite. Of constants, which have no baseline, it is 1 and by
// what share of the limit the value is beyond it.
//
//     lm_loss     10.50 -> 10.60, ±0.01     10 tolerances
//     throughput  200 -> 188, -5%            1.2
#pragma once

#include <vector>

#include "gate/model/reports/report.h"

namespace gate::judge {

// Return by how many tolerances a failed check is out, above 1; infinite of `exact`; 1 where its values are
// not known.
double tolerances_out(const Check& check);

// Put the checks that are not finite, missing or out of bounds first, the heaviest in front; ties by the
// first number that is out, then as they were. The others stay as they were.
void put_heaviest_first(std::vector<Check>& checks);

}  // namespace gate::judge
