// UTF-8: code points, and the bytes that they are written in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gate {

constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Tell whether the byte goes on with a code point that began before it.
constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Return how many code points begin in the text.
std::int64_t begun_in(std::string_view text);

struct CodePoint {
  char32_t value = 0;
  bool is_bad = false;     // no UTF-8
  std::size_t length = 0;  // in bytes
};

constexpr char32_t replacement = 0xFFFD;

// Return what code_point_at() does; the byte there is not ASCII.
CodePoint wide_code_point_at(std::string_view text, std::size_t at);

// Return the code point that begins there, which is inside the text. Bytes that are no UTF-8 are U+FFFD: one
// for each longest piece that valid UTF-8 could begin with, else one for each byte.
inline CodePoint code_point_at(std::string_view text, std::size_t at) {
  if (is_ascii(text[at])) return {static_cast<unsigned char>(text[at]), false, 1};
  return wide_code_point_at(text, at);
}

void append_code_point(std::string& out, char32_t code_point);

struct CodePointRange {
  char32_t first = 0, last = 0;
};

// Tell whether the code point is in one of the ranges, which rise.
bool is_in(std::span<const CodePointRange> ranges, char32_t code_point);

}  // namespace gate
