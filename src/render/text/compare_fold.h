// Series of one metric whose ranks differ alike, as one row.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/model/comparison.h"

namespace gate::render {

// Points into the case that it was made from.
struct ComparedFold {
  const ComparedSeries* shown = nullptr;  // the one with the largest difference
  std::vector<std::int64_t> ranks;        // rising; empty where the series name no rank
};

// Return the series folded by metric, by how many numbers they share, and by where they first differ.
std::vector<ComparedFold> fold(const ComparedCase& compared);

// Return `memory_allocated ranks 0-7`.
std::string name_of(const ComparedFold& fold);

// Return how many metrics the cases compare, and in how many of them any rank differs (gate's own clocks do
// not count).
struct ComparedCount {
  std::size_t metrics = 0;
  std::size_t different = 0;
};
ComparedCount count_of_metrics(const ComparedCase& compared);

}  // namespace gate::render
