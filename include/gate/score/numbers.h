// Numbers held against golden numbers, value by value.
#pragma once

#include <string_view>

#include "gate/base/result.h"
#include "gate/model/numbers/output.h"
#include "gate/score/score_metric.h"

namespace gate::score {

// Return what the numbers are worth by a metric of metrics() whose input is numbers. With a and g an actual
// number and the golden one at its place, e = |a-g|, r = e/|g| where g is not zero, and sums over all places:
//
//   cosine                        Σag / √(Σaa Σgg); of zeros alone on both sides 1, on one side 0
//   max_abs_error                 the largest e
//   mean_abs_error                the mean e
//   rmse                          √(mean ee)
//   max_relative_error            the largest r (*)
//   mean_relative_error           the mean r (*)
//   accumulated_relative_error    Σe / Σ|g| (*)
//   relative_euclidean_distance   √(Σee / Σgg) (*)
//   kl_divergence                 Σ q ln(q/p), p = a/Σa, q = g/Σg; infinity where p alone is 0
//   one_thousandth_ratio          the share of all places where r < 0.001
//   five_thousandths_ratio        the share of all places where r < 0.005
//
// (*) Where every g is zero: 0 if all pairs are equal, else infinity.
//
// A golden zero thus says nothing in the relative errors, and never counts in the ratios: the signature tells
// how many there are (`n:4|zero_golden:0`), an absolute error judges them.
//
// Where a side is NaN or infinite at any place, and be the other side the same, the value is the worst there
// is: infinity where less is better, else minus infinity. The signature counts these places (`non_finite:2`),
// and each of them differs. So it is where a result is beyond a double.
//
// `worst` of the score is the place of the largest relative error where the metric has that, else of the
// largest |a-g|; the metric has no value for it alone in cosine and kl_divergence, and where g is zero or not
// finite.
//
// Fails for another metric, for sides of different size or shape (one that is not told is any), for none at
// all, and of kl_divergence for a number that is negative or, of the golden side, not finite and for a side
// that is zero throughout.
Result<Score> score_numbers(std::string_view metric, const Numbers& actual, const Numbers& golden);

}  // namespace gate::score
