// How far values are from others, as a share of these: |a - b| / |b|.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "judge/series/number.h"
#include "judge/series/numeric_series.h"

namespace gate::judge {

// Errors are summed as decimals of 28 places, each cut off behind them: what is on a limit is never taken for
// beyond it, and what is beyond it by no less than that is not taken for on it. Where 38 digits do not
// suffice the sum is a double.
class RelativeErrors {
 public:
  // Add the error of the value. Returns whether there is one: none against a baseline that is 0.
  bool add(const Number& actual, const Number& baseline);

  // Return the sum, in percent.
  Number sum() const;

  // Return the mean of n errors, in percent, those not yet added taken for 0; n is above 0.
  Number mean(std::int64_t n) const { return divide(sum(), n); }

 private:
  std::optional<Number> sum_;
};

// Return the mean relative error of the series against the other one at the numbers, in percent; nothing
// where either has no value at one of them, or the other one's is 0.
std::optional<Number> mean_relative_error(std::span<const std::int64_t> numbers, const NumericSeries& series,
                                          const NumericSeries& baseline);

}  // namespace gate::judge
