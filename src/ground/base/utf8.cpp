#include "gate/base/utf8.h"

#include <algorithm>
#include <functional>

namespace gate {

namespace {

unsigned char byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

// The bytes that may stand second, after this first one.
bool may_be_second(unsigned char first, unsigned char second) {
  switch (first) {
    case 0xE0:
      return second >= 0xA0 && second <= 0xBF;
    case 0xED:
      return second >= 0x80 && second <= 0x9F;
    case 0xF0:
      return second >= 0x90 && second <= 0xBF;
    case 0xF4:
      return second >= 0x80 && second <= 0x8F;
    default:
      return is_continuation(static_cast<char>(second));
  }
}

std::size_t wanted_length(unsigned char first) {
  if (first >= 0xC2 && first < 0xE0) return 2;
  if (first >= 0xE0 && first < 0xF0) return 3;
  return first >= 0xF0 && first < 0xF5 ? 4 : 0;
}

}  // namespace

std::int64_t begun_in(std::string_view text) {
  return std::ranges::count_if(text, std::not_fn(is_continuation));
}

CodePoint wide_code_point_at(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  const std::size_t wanted = wanted_length(first);
  if (wanted == 0 || at + 1 >= text.size() || !may_be_second(first, byte_at(text, at + 1)))
    return {replacement, true, 1};
  char32_t value = first & (0x7FU >> wanted);
  value = value << 6 | (byte_at(text, at + 1) & 0x3FU);
  for (std::size_t i = 2; i < wanted; ++i) {
    if (at + i >= text.size() || !is_continuation(text[at + i])) return {replacement, true, i};
    value = value << 6 | (byte_at(text, at + i) & 0x3FU);
  }
  return {value, false, wanted};
}

void append_code_point(std::string& out, char32_t code_point) {
  const auto byte = [&](char32_t bits) { out += static_cast<char>(bits); };
  const auto tail = [&](int shift) { byte(0x80 | ((code_point >> shift) & 0x3F)); };
  if (code_point < 0x80) return byte(code_point);
  if (code_point < 0x800) return byte(0xC0 | (code_point >> 6)), tail(0);
  if (code_point < 0x10000) return byte(0xE0 | (code_point >> 12)), tail(6), tail(0);
  byte(0xF0 | (code_point >> 18)), tail(12), tail(6), tail(0);
}

bool is_in(std::span<const CodePointRange> ranges, char32_t code_point) {
  const auto range = std::ranges::lower_bound(ranges, code_point, {}, &CodePointRange::last);
  return range != ranges.end() && range->first <= code_point;
}

}  // namespace gate
