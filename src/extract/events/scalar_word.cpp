#include "extract/events/scalar_word.h"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>

namespace gate::extract {

namespace {

constexpr double least_plain = 1e-4;
constexpr double least_long = 1e16;

template <typename Number>
std::string word_of(Number value) {
  if (std::isnan(value)) return "nan";
  const double size = std::abs(static_cast<double>(value));
  const bool plain = size == 0 || (size >= least_plain && size < least_long) || std::isinf(value);
  std::array<char, 64> text{};
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value, format).ptr};
}

}  // namespace

std::string float_word(float value) { return word_of(value); }
std::string double_word(double value) { return word_of(value); }

float bfloat16_of(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

float half_of(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 0x1F) return fraction != 0 ? std::nanf("") : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
  return sign * std::ldexp(static_cast<float>(fraction + 0x400), exponent - 25);
}

}  // namespace gate::extract
