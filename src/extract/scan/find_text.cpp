// Sixteen places are tried at once: the needle can only stand where its first byte does and, as far behind
// it as the needle is long, its last byte. string_view::find stops at each first byte, and lines are full of
// `i`s; memmem prepares a table that lines are too short for.
#include "extract/scan/find_text.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace gate::extract {

namespace {

constexpr std::size_t width = 16;
using Bytes = unsigned char __attribute__((vector_size(width)));

Bytes load(const char* from) {
  Bytes bytes;
  std::memcpy(&bytes, from, width);
  return bytes;
}

Bytes repeated(char c) { return Bytes{} + static_cast<unsigned char>(c); }

template <typename Vector>
bool any(const Vector& bytes) {
  std::array<std::uint64_t, 2> halves{};
  std::memcpy(halves.data(), &bytes, width);
  return (halves[0] | halves[1]) != 0;
}

// Return the first of the places from `at` to `end` where the needle stands, or npos.
std::size_t find_at(std::string_view text, std::string_view needle, std::size_t at, std::size_t end) {
  for (; at < end; ++at)
    if (text[at] == needle[0] && std::memcmp(text.data() + at, needle.data(), needle.size()) == 0) return at;
  return npos;
}

}  // namespace

std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from) {
  if (from > text.size() || needle.size() > text.size() - from) return npos;
  const std::size_t end = text.size() - needle.size() + 1;
  const std::size_t last = needle.size() - 1;
  const Bytes first_byte = repeated(needle.front());
  const Bytes last_byte = repeated(needle.back());
  std::size_t at = from;
  for (; at + width <= end; at += width) {
    const char* const place = text.data() + at;
    const auto both = (load(place) == first_byte) & (load(place + last) == last_byte);
    if (!any(both)) continue;
    const std::size_t found = find_at(text, needle, at, at + width);
    if (found != npos) return found;
  }
  return find_at(text, needle, at, end);
}

}  // namespace gate::extract
