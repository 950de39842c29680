#include "gate/model/numbers/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "gate/base/text.h"

namespace gate {

namespace {

constexpr int max_digits = 37;
constexpr std::int32_t max_exponent = 9999;
constexpr int128 int128_max = ~(static_cast<int128>(1) << 127);

// Powers of ten that are exact in a double and in 64 bits.
constexpr std::array<std::int64_t, 19> powers = [] {
  std::array<std::int64_t, 19> all{1};
  for (std::size_t i = 1; i < all.size(); ++i) all[i] = all[i - 1] * 10;
  return all;
}();

bool fits_in_64(int128 value) { return static_cast<std::int64_t>(value) == value; }

std::string digits_of(int128 value) {
  if (fits_in_64(value)) {
    const auto short_value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    return std::to_string(value < 0 ? 0 - short_value : short_value);
  }
  std::string out;
  for (; value != 0; value /= 10) {
    const int digit = static_cast<int>(value % 10);
    out += static_cast<char>('0' + (digit < 0 ? -digit : digit));
  }
  std::reverse(out.begin(), out.end());
  return out.empty() ? "0" : out;
}

// Takes digits into the number. Returns where they end.
[[gnu::always_inline]] inline const char* take_digits(const char* at, const char* end,
                                                      std::uint64_t& number) {
  for (; at != end; ++at) {
    const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
    if (digit > 9) break;
    number = number * 10 + digit;
  }
  return at;
}

// Reads a mantissa of at most 19 characters, which 64 bits hold. Returns where it ends; nullptr where it has
// no digit.
[[gnu::always_inline]] inline const char* read_short_mantissa(const char* at, const char* end,
                                                              std::uint64_t& digits, std::int32_t& exponent) {
  const char* const begin = at;
  digits = 0;
  exponent = 0;
  at = take_digits(at, end, digits);
  if (at == end || *at != '.') return at == begin ? nullptr : at;
  const char* const point = at;
  at = take_digits(at + 1, end, digits);
  exponent = static_cast<std::int32_t>(point + 1 - at);
  return at - begin == 1 ? nullptr : at;
}

// Reads the digits of a mantissa off the word. Returns false where there is no digit, or too many.
bool read_mantissa(std::string_view& word, Decimal& number) {
  number = {};
  int significant = 0;
  bool any = false, point = false;
  while (!word.empty() && (is_digit(word[0]) || (word[0] == '.' && !point))) {
    if (word[0] == '.') {
      point = true;
    } else {
      any = true;
      if ((significant > 0 || word[0] != '0') && ++significant > max_digits) return false;
      number.coefficient = number.coefficient * 10 + (word[0] - '0');
      if (point) --number.exponent;
      if (number.exponent < -max_exponent) return false;
    }
    word.remove_prefix(1);
  }
  return any;
}

// Reads a word that is an exponent and nothing else.
bool read_exponent(std::string_view word, Decimal& number) {
  if (word[0] != 'e' && word[0] != 'E') return false;
  word.remove_prefix(1);
  if (word.size() > 1 && word[0] == '+' && is_digit(word[1])) word.remove_prefix(1);
  std::int32_t exponent = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, exponent);
  if (word.empty() || error != std::errc() || stop != end || std::abs(exponent) > max_exponent) return false;
  number.exponent += exponent;
  return true;
}

// Multiplies by 10^power; false where that has more digits than fit.
bool scale_up(int128& value, std::int64_t power) {
  if (value == 0) return true;
  for (; power > 0; --power)
    if (__builtin_mul_overflow(value, static_cast<int128>(10), &value)) return false;
  return true;
}

// Brings both to the smaller exponent.
bool align(Decimal& a, Decimal& b) {
  const std::int32_t exponent = std::min(a.exponent, b.exponent);
  const bool fits = scale_up(a.coefficient, std::int64_t{a.exponent} - exponent) &&
                    scale_up(b.coefficient, std::int64_t{b.exponent} - exponent);
  a.exponent = b.exponent = exponent;
  return fits;
}

// Return the double of a number whose coefficient and power of ten are both exact doubles: one product or
// quotient of them is rounded once.
std::optional<double> short_quotient(const Decimal& number) {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const auto power = static_cast<std::size_t>(std::abs(std::int64_t{number.exponent}));
  if (power >= powers.size() || number.coefficient > most || number.coefficient < -most) return std::nullopt;
  const auto coefficient = static_cast<double>(static_cast<std::int64_t>(number.coefficient));
  const auto scale = static_cast<double>(powers[power]);
  return number.exponent < 0 ? coefficient / scale : coefficient * scale;
}

std::strong_ordering order(int128 a, int128 b) {
  return a < b   ? std::strong_ordering::less
         : a > b ? std::strong_ordering::greater
                 : std::strong_ordering::equal;
}

// Brings coefficients of 64 bits whose powers of ten are not far apart to one of them.
std::optional<std::strong_ordering> short_order(const Decimal& a, const Decimal& b) {
  const std::int64_t apart = std::int64_t{a.exponent} - b.exponent;
  const auto power = static_cast<std::size_t>(std::abs(apart));
  if (power >= powers.size() || !fits_in_64(a.coefficient) || !fits_in_64(b.coefficient)) return std::nullopt;
  return apart > 0 ? order(a.coefficient * powers[power], b.coefficient)
                   : order(a.coefficient, b.coefficient * powers[power]);
}

int sign(const Decimal& number) { return number.coefficient < 0 ? -1 : number.coefficient > 0 ? 1 : 0; }

}  // namespace

std::optional<Decimal> Decimal::parse(std::string_view word) {
  Decimal number;
  return parse(word, number) ? std::optional(number) : std::nullopt;
}

bool Decimal::parse(std::string_view word, Decimal& number) {
  constexpr std::size_t longest_short = 19;
  const bool negative = !word.empty() && word[0] == '-';
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  if (word.size() <= longest_short) {
    const char* const end = word.data() + word.size();
    std::uint64_t digits = 0;
    const char* const at = read_short_mantissa(word.data(), end, digits, number.exponent);
    if (at == nullptr) return false;
    number.coefficient = negative ? -static_cast<int128>(digits) : static_cast<int128>(digits);
    return at == end || read_exponent({at, static_cast<std::size_t>(end - at)}, number);
  }
  if (!read_mantissa(word, number)) return false;
  if (!word.empty() && !read_exponent(word, number)) return false;
  if (negative) number.coefficient = -number.coefficient;
  return true;
}

double Decimal::to_double() const {
  if (const std::optional<double> exact = short_quotient(*this)) return *exact;
  const std::string text = digits_of(coefficient) + "e" + std::to_string(exponent);
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range)
    value = exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return is_negative() ? -value : value;
}

Decimal Decimal::rounded(int digits) const {
  Decimal number = *this;
  bool is_half = false;
  const auto has = [&] { return static_cast<int>(digits_of(number.coefficient).size()); };
  for (int left = is_zero() ? 0 : has() - digits; left > 0 && number.exponent < 0;
       --left, ++number.exponent) {
    const auto last = static_cast<int>(number.coefficient % 10);
    is_half = last >= 5 || last <= -5;
    number.coefficient /= 10;
  }
  if (is_half) number.coefficient += is_negative() ? -1 : 1;
  return number;
}

Decimal Decimal::without_zeros() const {
  if (is_zero()) return {0, 0};
  Decimal number = *this;
  for (; number.exponent < 0 && number.coefficient % 10 == 0; ++number.exponent) number.coefficient /= 10;
  return number;
}

std::string Decimal::to_string() const {
  const std::string minus = is_negative() ? "-" : "";
  std::string digits = digits_of(coefficient);
  if (exponent >= 0 && digits.size() + static_cast<std::size_t>(exponent) <= 21)
    return minus + digits + (is_zero() ? "" : std::string(static_cast<std::size_t>(exponent), '0'));
  const auto decimals = -static_cast<std::int64_t>(exponent);
  if (exponent < 0 && decimals <= 20) {
    const auto places = static_cast<std::size_t>(decimals);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    return minus + digits.insert(digits.size() - places, ".");
  }
  const std::int64_t power = exponent + static_cast<std::int64_t>(digits.size()) - 1;
  if (digits.size() > 1) digits.insert(1, ".");
  return minus + digits + "E" + (power < 0 ? "-" : "+") + std::to_string(power < 0 ? -power : power);
}

std::strong_ordering compare(const Decimal& a, const Decimal& b) {
  if (const std::optional<std::strong_ordering> known = short_order(a, b)) return *known;
  if (sign(a) != sign(b)) return sign(a) <=> sign(b);
  if (sign(a) == 0) return std::strong_ordering::equal;
  const auto magnitude = [](const Decimal& x) {
    return x.exponent + static_cast<std::int64_t>(digits_of(x.coefficient).size());
  };
  if (magnitude(a) != magnitude(b))
    return sign(a) > 0 ? magnitude(a) <=> magnitude(b) : magnitude(b) <=> magnitude(a);
  Decimal left = a, right = b;
  if (align(left, right)) return order(left.coefficient, right.coefficient);
  // Same magnitude and too long to align: the digits compare as text once they are equally long.
  std::string p = digits_of(a.coefficient), q = digits_of(b.coefficient);
  p.resize(std::max(p.size(), q.size()), '0');
  q.resize(p.size(), '0');
  const int order = p.compare(q) * sign(a);
  return order <=> 0;
}

bool operator==(const Decimal& a, const Decimal& b) { return (a <=> b) == std::strong_ordering::equal; }

std::optional<Decimal> add(const Decimal& a, const Decimal& b) {
  Decimal left = a, right = b, sum;
  if (!align(left, right)) return std::nullopt;
  if (__builtin_add_overflow(left.coefficient, right.coefficient, &sum.coefficient)) return std::nullopt;
  if (sum.coefficient == -int128_max - 1) return std::nullopt;
  sum.exponent = left.exponent;
  return sum;
}

std::optional<Decimal> subtract(const Decimal& a, const Decimal& b) { return add(a, -b); }

std::optional<Decimal> multiply(const Decimal& a, const Decimal& b) {
  Decimal product;
  if (__builtin_mul_overflow(a.coefficient, b.coefficient, &product.coefficient)) return std::nullopt;
  if (product.coefficient == -int128_max - 1) return std::nullopt;
  product.exponent = a.exponent + b.exponent;
  return product;
}

}  // namespace gate
