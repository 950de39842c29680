// The level of a window whose values are compared each for itself: what a trend over runs is made of.
#pragma once

#include <string>
#include <vector>

#include "judge/rules/check_evaluation.h"

namespace gate::judge {

// Means of the values that stand side by side at the window's numbers; none where nothing was compared, with
// a reduce, which has values of its own, and of the baseline's side where there is none.
struct Level {
  std::optional<double> run;
  std::optional<double> baseline;
};

Level level_of(const CheckEvaluation& trial);

// Return the run's value less the baseline's at each number that both have, in the window or not; of more
// than `most` numbers as many stretches, each with its largest difference. Empty where no baseline is
// compared.
std::vector<double> trace_of(const CheckEvaluation& trial, std::size_t most = 48);

}  // namespace gate::judge
