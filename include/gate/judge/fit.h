// The tolerance that fits a rule: as narrow as the noise of its runs allows, with a false-failure rate of 1
// %.
//
// A history gives n values of a rule's reduced value, oldest first. Four steps make a tolerance of them.
//
// 1. Levels. A speed that became another one in the middle of a history is no noise. Changes of level
//    (judge/trend.h) cut the series in K stretches, and what is looked at is the residual of each value from
//    its level, as a share of that level where the tolerance is relative. More than one change in ten runs
//    are no changes but noise that comes in waves: then there is one level.
// 2. Runs that stand apart. A stalled run or a regression that was red for a night must not widen the
//    tolerance that is to find its like. The median of the absolute residuals, times 1.4826, estimates s and
//    does not heed up to half of the values (Hampel, "The Influence Curve and its Role in Robust Estimation",
//    JASA 69, 1974); what lies more than six of these away stands apart and is left out. If more than a
//    fifth would be left out, these are no exceptions but what the machine does, and all stay.
// 3. Spread. s is the pooled standard deviation of the rest about the means of their stretches, with ν =
//    (values left) - K degrees of freedom.
// 4. Tolerance. A further run less the mean of m baseline runs has the deviation c·s, c = sqrt(1/R + 1/m)
//    (judge/noise.h). s is an estimate: the quotient follows Student's t with ν degrees of freedom, and so
//    the prediction bound τ = t(0.99; ν)·c·s is exceeded by 1 % of further runs, counted over all histories
//    that could have been seen (Hahn and Meeker, "Statistical Intervals", 1991, 4.7; of two sides t(0.995)).
//    No further margin for a rough s is needed; with 8 runs the factor is 3.0 in place of 2.33. Step
//    times have heavier tails than a normal value; so from `enough_runs` on τ is no less than the 0.99
//    quantile of the residuals themselves, times c. It is rounded up to two digits.
//
// The same t says what the tolerance does: a run is red by chance with P(T > τ/(c·s)), and a regression of
// τ + t(0.9; ν)·c·s is red nine times in ten.
//
// What is fitted is checked: the fit takes the first half of the runs in time, eight at least, and the later
// ones are counted that lie beyond it. If they are more than chance allows (the binomial distribution at 5
// %), the noise has grown, and all runs are fitted.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/judge/noise.h"
#include "gate/model/rules/rule.h"

namespace gate::judge {

inline constexpr std::size_t least_fitted = 8;    // runs; of fewer nothing is told
inline constexpr std::size_t enough_runs = 20;    // from here on the sample's own quantile counts
inline constexpr double allowed_failures = 0.01;  // false ones

// The spread of the runs of a rule, as steps 1 to 3 above make it.
struct RunSpread {
  double s = 0;  // a share of the level, or in the metric's unit
  int freedom = 0;
  std::vector<double> residuals = {};   // of the values that do not stand apart, from their stretch's mean
  std::vector<std::size_t> apart = {};  // indices of those that do
  std::size_t newest = 0;               // index of the first value of the newest stretch
  double level = 0;                     // of the newest stretch
};

// Return the spread; nothing for fewer than `least_fitted` values, for a relative one of a level of 0, and
// where fewer than four degrees of freedom are left. Values that are not finite are not allowed.
std::optional<RunSpread> run_spread(std::span<const double> values, bool is_relative);

// A tolerance of one bound: `-5%`, `±0.02`. All sizes are shares where it is relative, else in the unit.
struct FitBound {
  Bound::Side side = Bound::Side::both;
  bool is_relative = false;
  double amount = 0;
};

// Return the bound of a tolerance that is a single relative or absolute one; nothing of any other.
std::optional<FitBound> fit_bound(const Tolerance& tolerance);

// Return the tolerance as it is written, `-6.2%`, `±0.013`, with the bound's side and kind.
std::string written_bound(const FitBound& bound);

// Return how often a run in which nothing has changed is beyond the bound.
double predicted_rate(const RunSpread& spread, const FitBound& bound, Runs runs);

// Return the regression that is found with 90 % power.
double predicted_caught(const RunSpread& spread, const FitBound& bound, Runs runs);

// Return the bound with the amount of step 4, rounded up.
FitBound fitted_bound(const RunSpread& spread, FitBound bound, Runs runs);

// A run of the history.
struct FitRun {
  std::string run;                      // its id
  double value = 0;                     // finite
  std::optional<double> baseline = {};  // that it was judged against; none: it was not judged
  bool was_red = false;                 // by this check
};

// A run that was red, and whether it stays so.
struct RefitRun {
  std::string run;
  bool is_red = false;  // with the fitted tolerance, too
};

struct Fit {
  RunSpread spread;           // of the runs that were fitted
  std::size_t fitted_on = 0;  // runs
  std::size_t later = 0;      // judged runs behind them
  std::size_t beyond = 0;     // of these beyond the fitted tolerance
  // Where the later ones refuted a first fit, and all runs were fitted: how many it was fitted on, how many
  // came later, how many of them were beyond.
  struct Refuted {
    std::size_t fitted_on = 0, later = 0, beyond = 0;
  };
  std::optional<Refuted> refuted = {};
  double now_rate = 0;  // of false failures, with the tolerance as it is
  double now_caught = 0;
  FitBound now;
  FitBound fitted;
  double rate = 0;
  double caught = 0;
  std::optional<double> level = {};  // of the newest stretch beside its baseline, where the two differ
  std::vector<RefitRun> red = {};    // oldest first
};

// Return the fit of the runs, oldest first. One that is tighter than the present bound is no tighter than any
// run that was green, and is none where the level of the judged runs is off `present`, the value of the
// baseline as it is now. Nothing where run_spread() tells nothing of them. Without noise (s = 0) what is
// fitted is the present bound.
std::optional<Fit> fit_runs(std::span<const FitRun> runs, const FitBound& now, Runs counts,
                            std::optional<double> present = {});

// Tell of the fit what this bound does to its runs, in place of its own: a rule has one for all its series.
void set_bound(Fit& fit, std::span<const FitRun> runs, const FitBound& bound, Runs counts);

// Return how far the value is beyond the baseline on the side of the bound, as a share of it or in the unit:
// of both sides without its sign.
double adverse(double value, double baseline, const FitBound& bound);

// One rule on one series of a case, and what is told of it.
struct FittedRule {
  std::string case_name;
  std::string platform;  // `nvidia-a100@lts`; "" is general
  std::string rule;
  std::optional<int> rank;
  std::string tolerance;  // as it is
  std::string unit = {};  // of an absolute one; "" where it has none
  Sentence why_not = {};  // nothing can be told; "" where there is a fit
  std::optional<Fit> fit = {};
  std::vector<FitRun> measured = {};  // what was fitted, and the counts of runs on either side
  Runs counts = {};
  Sentence written = {};  // where it was put, or what to change by hand; "" where neither
  bool is_written = false;

  // Tell whether more than 1 % of good runs are red, with what stands in gate.toml now.
  bool is_weak() const;
};

struct FittedRules {
  std::vector<FittedRule> rules;

  // 1 where a rule is weak, 3 where nothing can be told of any, else 0.
  int exit_code() const;
};

}  // namespace gate::judge
