// Comparisons of binary floating point, as Python and its libraries make them. The profiles use them, because
// their tools do: the last bit decides at a boundary.
#pragma once

#include <span>
#include <vector>

namespace gate::judge {

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
