// Exact decimal numbers, as logs print them.
//
// A log prints decimals and a tolerance is a decimal, so "1.24 is within 0.01 of 1.23" has an exact answer
// that doubles get wrong in about 29 % of boundary cases. A Decimal is coefficient x 10^exponent with up to
// 38 digits and remembers how many digits were printed: 1.50 and 1.5 are equal in value and differ in their
// quantum.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gate {

__extension__ using int128 = __int128;

struct Decimal {
  int128 coefficient = 0;
  std::int32_t exponent = 0;

  // Return the number of a whole word `[+-]digits[.digits][(e|E)[+-]digits]` (`.5` and `5.` are read), or
  // nothing: not a number, more than 37 significant digits, or an exponent beyond +-9999.
  static std::optional<Decimal> parse(std::string_view word);

  // The same into a number that is at hand, where each nanosecond counts. Returns false, and leaves anything
  // in it, where the word is no number.
  static bool parse(std::string_view word, Decimal& number);

  // Return the nearest double; infinity where it is beyond a double's range.
  double to_double() const;

  // Return the number in plain notation (`0.0125`), or scientific where plain would need more than 21
  // characters. Trailing zeros are kept as far as the quantum has them.
  std::string to_string() const;

  // Return the number with at most so many digits, rounded half away from zero; digits in front of the point
  // are all kept.
  Decimal rounded(int digits) const;

  // Return the same number without zeros behind its point: `0.5` for `0.500`.
  Decimal without_zeros() const;

  bool is_zero() const { return coefficient == 0; }
  bool is_negative() const { return coefficient < 0; }
  Decimal abs() const { return {coefficient < 0 ? -coefficient : coefficient, exponent}; }
  Decimal operator-() const { return {-coefficient, exponent}; }
};

// Compare by value, exactly, however far apart the exponents are.
std::strong_ordering compare(const Decimal& a, const Decimal& b);
inline std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
  return a.exponent == b.exponent ? a.coefficient <=> b.coefficient : compare(a, b);
}
inline bool operator<(const Decimal& a, const Decimal& b) {  // what <=> says, where each nanosecond counts
  return a.exponent == b.exponent ? a.coefficient < b.coefficient : compare(a, b) < 0;
}
bool operator==(const Decimal& a, const Decimal& b);

// Return the exact sum, difference or product, or nothing where it has more than 38 digits. The exponent of
// the result is the smaller one (sum, difference) or the sum of both (product).
std::optional<Decimal> add(const Decimal& a, const Decimal& b);
std::optional<Decimal> subtract(const Decimal& a, const Decimal& b);
std::optional<Decimal> multiply(const Decimal& a, const Decimal& b);

}  // namespace gate
