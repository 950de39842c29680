// A slope in a series: the straight line between two levels that fits best.
//
// With p the first value above the level L before and q the first at the level M behind, the fit at t is
// L + r·(M - L), r = (t - p + 1) / (q - p + 1), no less than 0 and no more than 1. For each p and q, L and M
// are those with the least squares; by sums over all values up to each one that takes no longer for many
// values than for few, so that all pairs on a grid are tried, and the neighbours of the best one on ever
// finer ones.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace gate::judge {

// Where a series goes from one level to another: at once at `at`, where `until` is the same, else evenly.
struct Bend {
  std::size_t at = 0;     // index of the first value behind the level before
  std::size_t until = 0;  // index of the first value at the level behind it
  double from = 0;        // the levels of a ramp
  double to = 0;
};

// By what a fit is weighed.
struct FitScale {
  double noise = 1;    // of the values
  double penalty = 0;  // for each bend, in squares of the noise
  double cap = 0;      // in noise: a value farther off its step's level counts as none
};

// Return the ramp over the values [begin, end) that fits them better than the steps, or nothing.
std::optional<Bend> ramp_of(std::span<const double> values, std::size_t begin, std::size_t end,
                            std::span<const Bend> steps, const FitScale& scale);

}  // namespace gate::judge
