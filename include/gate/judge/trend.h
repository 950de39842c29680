// A metric over many runs: sudden steps, slow drift, dips, and verdicts that change without a reason.
//
// The values of n runs are cut into pieces, each with one level, such that
//
//   sum over the runs of min(((value - level) / noise)², 4²)  +  (2·ln n + 6) for each change
//
// is least. The cap makes an outlier cost as much as any other: a stalled run pulls no level, and two do not
// pay for a change and one back. This is the biweight loss of P. Fearnhead and G. Rigaill, "Changepoint
// Detection in the Presence of Outliers", Journal of the American Statistical Association 114, 2019, 169-183.
// The sum is minimised by dynamic programming over the runs and a grid of levels a quarter of the noise apart
// (the Viterbi path of n runs through L levels, in O(n·L)); changes that the true levels of the pieces do not
// pay for are taken back. The noise is the median of the differences between neighbours / 0.954, the
// standard deviation where it is normal, which neither a step nor a slow drift enlarges. Heavy tails are more
// than their middle tells, and three of their values in a row look like a dip: where the values lie farther
// from the levels of this first cut than that, by their mean square with the same cap and without stalled
// runs (8 noises off), they are cut anew with that noise. So a change counts by its size and by how many runs
// it lasts, whatever came before: more history does not blind it.
//
// Where noise hides the very run, a step may lie at each run at which the sum would be at most 10 more: at 2
// x noise that is seldom more than two runs away.
//
// Where a slope between two levels fits better than the steps to one side, they are one ramp: the straight
// line with the least squares over all pairs of first and last run.
//
// A change is told where it is no smaller than `least`, as far as the noise lets one see. Ten runs are
// needed, and runs are taken to be independent of one another: noise that comes in waves makes changes.
//
// Example: 100 101 99 100 98 101 100 99 | 90 91 90 89 90 | 100 99 101 with a noise of 1 is a dip of -10 %
// over five runs: a change at 8 that is undone at 13.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gate/model/reports/trend.h"
#include "gate/model/rules/rule.h"

namespace gate::judge {

inline constexpr std::size_t least_values = 10;  // of fewer the noise is not known

// Return the median; 0 of no values. Of an even count the mean of the middle two.
double median_of(std::span<const double> values);

// Return the value at that place, from 0, of the values in rising order. There is one.
double value_in_order(std::span<const double> values, std::size_t place);

// Return the value with the share `part` of the values below it, between neighbours in proportion (definition
// 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50(4), 1996).
// There is a value, and they rise.
double quantile_of(std::span<const double> sorted, double part);

// Values as pieces.
struct LevelFit {
  std::vector<Change> changes;  // rising by `at`
  std::vector<double> levels;   // beside the values: without the noise
  double least = 0;             // of a change, in the values' unit
};

// Return the fit of the values, in which no change is clearly smaller than `least`, in their unit. All
// values must be finite; of fewer than `least_values`, and of such that are too far apart for a double, it is
// one level.
LevelFit fit_levels(std::span<const double> values, double least = 0);

// Return the fit with the least change that the tolerance makes of the median of the values.
LevelFit fit_levels(std::span<const double> values, const Tolerance& tolerance);

// Return a fifth of what the tolerance allows at that level, in its unit; 0 where it bounds no deviation.
double least_change(const Tolerance& tolerance, double level);

// Return the flips of verdicts in their order; `like[i]` is the latest run before run i that had its commit,
// baseline and environment, if there is one.
Flips flips_of(const std::vector<bool>& green, const std::vector<std::optional<std::size_t>>& like);

}  // namespace gate::judge
