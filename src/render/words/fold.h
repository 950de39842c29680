// Checks of one rule that say the same of several ranks, as one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/model/report.h"

namespace gate::render {

// Points into the checks that it was made from.
struct Fold {
  const Check* first = nullptr;     // the one whose miss comes first (lowest number, then lowest rank)
  const Check* largest = nullptr;   // the one with the largest deviation
  std::vector<std::int64_t> ranks;  // rising; empty where the series name no rank
  std::int64_t all_ranks = 0;       // ranks that the rule has checks for, in whatever state
  std::int64_t misses = 0;          // sums over the ranks
  std::int64_t compared = 0;
  std::vector<std::string> notes;  // each once
};

// Return the checks folded by rule, metric and status, in the order in which each first comes. Checks that
// are neither failed nor waived nor passed are folded only where their notes are equal.
std::vector<Fold> fold(const std::vector<Check>& checks);

// Return `rank 3`, `8 of 8 ranks (0-7)` or, where the series name no rank, "".
std::string ranks_of(const Fold& fold);

}  // namespace gate::render
