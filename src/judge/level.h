// The level of a window whose values are compared each for itself: what a trend over runs is made of.
#pragma once

#include <string>

#include "judge/trial.h"

namespace gate::judge {

// Means of the values that stand side by side at the window's numbers; "" where nothing was compared, with a
// reduce, which has values of its own, and of the baseline's side where there is none.
struct Level {
  std::string run;
  std::string baseline;
};

Level level_of(const Trial& trial);

}  // namespace gate::judge
