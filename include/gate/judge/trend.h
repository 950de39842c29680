// What a metric does over many runs: sudden steps, slow drift, and verdicts that change without a reason.
//
// A change is found by Pettitt's test (A. N. Pettitt, "A Non-Parametric Approach to the Change-Point
// Problem", Applied Statistics 28(2), 1979, 126-135): with the ranks r of n values, U(t) = 2·(r1 + ... + rt)
// - t·(n + 1), K = max |U(t)|, and the chance of a K as large where nothing changes about 2·exp(-6·K² / (n³ +
// n²)). It compares ranks, so that neither a stalled run nor the shape of the noise makes a change; it
// assumes that runs are independent of one another. Several changes are found by applying it to either side
// of the last one found (binary segmentation).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gate/model/reports/trend.h"

namespace gate::judge {

// A change is told from chance at this level, one false alarm in a hundred series.
inline constexpr double change_level = 0.01;
inline constexpr std::size_t least_values = 16;  // of fewer not even the largest K, n²/4, is that clear

// Return the median; 0 of no values. Of an even count the mean of the middle two.
double median_of(std::span<const double> values);

// Return the clearest change of the values at the level, or nothing. Values that are not finite are not
// allowed.
std::optional<Change> change_point(std::span<const double> values, double level = change_level);

// Return every change, rising by `at`.
std::vector<Change> change_points(std::span<const double> values, double level = change_level);

// Return the flips of verdicts in their order; `like[i]` is the latest run before run i that had its commit,
// baseline and environment, if there is one.
Flips flips_of(const std::vector<bool>& green, const std::vector<std::optional<std::size_t>>& like);

}  // namespace gate::judge
