// The numbers that are judged: a sum of decimals over a count, so that a mean is compared without dividing.
//
// 931.8 is the mean of ten printed values exactly when their sum is 9318; both sides of a comparison are
// brought to one denominator by multiplying crosswise, and no digit is lost. Where 38 digits do not suffice,
// or the number has no such form (a harmonic mean), it is a double, and two doubles within 8 units in the
// last place are equal.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "gate/model/numbers/decimal.h"
#include "gate/model/numbers/sample.h"

namespace gate::judge {

struct Number {
  Decimal sum;             // meaningful only where exact
  std::int64_t count = 1;  // above 0
  bool exact = true;
  double approximate = 0;  // meaningful only where not exact
};

Number number(const Decimal& decimal);
Number number(double value);

double to_double(const Number& number);
bool is_negative(const Number& number);
Number magnitude(const Number& number);

Number plus(const Number& a, const Number& b);
Number minus(const Number& a, const Number& b);
Number times(const Number& a, const Decimal& factor);  // no zeros added behind a's last decimal
Number divide(const Number& a, std::int64_t divisor);

// Return the mean; the numbers are not empty.
Number mean_of(std::span<const Number> numbers);

// Compare by value; exactly where both are exact and their cross products fit. Doubles that are not finite
// are unordered: what is beyond them is within no limit.
std::partial_ordering compare(const Number& a, const Number& b);

// Return the number as a report shows it: all digits where the quotient ends within 12 decimals behind its
// sum's last one, trailing zeros cut back to the sum's own decimals; else the quotient rounded to 3 decimals
// more than the sum has, or 9 digits of a double.
Value value_of(const Number& number);
std::optional<Value> value_of(const std::optional<Number>& number);

// Return the same as text.
std::string text(const Number& number);

// Return 100 * part / |whole|, rounded to three significant digits; nothing where the whole is 0.
std::optional<double> percent_of(const Number& part, const Number& whole);

}  // namespace gate::judge
