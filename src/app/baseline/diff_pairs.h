// What `gate baseline diff` compares with what.
#pragma once

#include <string>
#include <vector>

#include "gate/app/baseline.h"

namespace gate::app {

// One case, before and after.
struct Pair {
  Reference before;
  std::vector<BaselineUsed> before_files;
  Baseline after;
};

// Return the candidates that the words select with their present baselines (with `run`: the series of that
// run); or, of a single word that is a run or a git ref, that run's series, or the baselines before and now.
Answer<std::vector<Pair>> find_pairs(const Suite& suite, const std::vector<std::string>& words,
                                     const std::string& run, Environment& machine);

}  // namespace gate::app
