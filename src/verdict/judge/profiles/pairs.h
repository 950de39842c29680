// Values that another system's rules put side by side, and the check that they make.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/judge/judge.h"

namespace gate::judge {

struct ComparedPair {
  std::int64_t number = 0;         // the step, or the place in a list, from 1
  std::optional<Sample> expected;  // none: the file names the number without a value
  std::optional<Sample> actual;    // none: it is not in the run
  bool close = false;              // as the profile sees it

  bool is_finite() const;  // on both sides
};

struct Comparing {
  const JudgeInput& input;
  std::string name;  // of the rule
  std::string metric;
  std::optional<int> rank = std::nullopt;
  Numbering numbered = Numbering::step;
  std::string unit = {};
  Tolerance tolerance = {};
};

// Return a check with its names, no numbers, and the remark.
Check make_check(const Comparing& comparing, CheckStatus status, std::optional<Remark> remark = {});

// Return the check of each pair: `passes` is the profile's word. A failure is `missing` where nothing but
// absent values causes it. The remark goes in front of those on values that are equal without a number.
Check check_each(const Comparing& comparing, const std::vector<ComparedPair>& pairs, bool passes,
                 const std::optional<Remark>& remark = {});

// Return the check of one number for all: mean or median of these, in the metric's unit.
Check check_reduced(const Comparing& comparing, Reduce reduce, double expected, double actual, bool passes);

// Return all numbers that the series names, those without a value too, rising.
std::vector<std::int64_t> all_numbers(const Series& series);

// Return a relative tolerance to that side.
Tolerance relative(Bound::Side side, const Decimal& amount);

// --- comparisons of binary floating point, as Python and its libraries make them ---
// The profiles use them, because their tools do: the last bit decides at a boundary.

// Return what numpy.isclose(actual, expected, rtol, atol=0) says: |actual - expected| <= rtol * |expected|
// where both are finite; else whether they are equal, so that infinity is close to infinity and NaN to
// nothing.
bool numpy_close(double actual, double expected, double rtol);

// Return what `actual == pytest.approx(expected, rel)` says: equal, or, of a finite expected value,
// |actual - expected| <= max(rel * |expected|, 1e-12).
bool pytest_approx(double actual, double expected, double rel);

// Return the sum from left to right over the count; NaN of no values.
double python_mean(std::span<const double> values);

// Return the middle value, or the mean of the two in the middle. Not for no values or NaN.
double numpy_median(std::vector<double> values);

}  // namespace gate::judge
