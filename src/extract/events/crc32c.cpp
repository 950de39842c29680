#include "extract/events/crc32c.h"

#include <array>
#include <cstddef>

namespace gate::extract {

namespace {

constexpr std::uint32_t sum_of_byte(std::uint32_t byte) {
  for (int bit = 0; bit < 8; ++bit) byte = (byte >> 1) ^ ((byte & 1) != 0 ? 0x82F63B78U : 0U);
  return byte;
}

constexpr std::array<std::uint32_t, 256> sums_of_bytes() {
  std::array<std::uint32_t, 256> sums{};
  for (std::uint32_t byte = 0; byte < sums.size(); ++byte) sums.at(byte) = sum_of_byte(byte);
  return sums;
}

constexpr std::array<std::uint32_t, 256> sums = sums_of_bytes();

}  // namespace

void Crc32c::add(std::string_view bytes) {
  for (const char c : bytes) {
    const std::size_t index = (state_ ^ static_cast<unsigned char>(c)) & 0xFFU;
    state_ = (state_ >> 8) ^ sums[index];
  }
}

std::uint32_t Crc32c::masked() const {
  const std::uint32_t sum = value();
  return ((sum >> 15) | (sum << 17)) + 0xA282EAD8U;
}

std::uint32_t masked_crc(std::string_view bytes) {
  Crc32c crc;
  crc.add(bytes);
  return crc.masked();
}

}  // namespace gate::extract
