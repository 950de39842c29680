// Numbers as most binary files have them.
#pragma once

#include <cstdint>
#include <string_view>

namespace gate {

// Return the whole number of the bytes, the lowest first, at most 8 of them.
inline std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t at = bytes.size(); at-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at]);
  return value;
}

}  // namespace gate
