// Checksums of files of scalars: reflected 32-bit CRCs, begun with and finished by all bits set.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gate::extract {

template <std::uint32_t reflected_polynomial>
class Crc {
 public:
  // Take further bytes; cut anywhere.
  void add(std::string_view bytes) {
    for (const char c : bytes)
      state_ = (state_ >> 8) ^ sums[(state_ ^ static_cast<unsigned char>(c)) & 0xFFU];
  }

  // Return the sum of all bytes so far; of none 0.
  std::uint32_t value() const { return ~state_; }

  // Return the sum as TFRecord stores it: rotated right by 15 bits, plus 0xA282EAD8, so that the sum of a
  // record that holds sums is no weaker.
  std::uint32_t masked() const { return ((value() >> 15) | (value() << 17)) + 0xA282EAD8U; }

 private:
  // The sums of single bytes.
  static constexpr std::array<std::uint32_t, 256> sums = [] {
    std::array<std::uint32_t, 256> all{};
    for (std::uint32_t byte = 0; byte < all.size(); ++byte) {
      std::uint32_t sum = byte;
      for (int bit = 0; bit < 8; ++bit) sum = (sum >> 1) ^ ((sum & 1) != 0 ? reflected_polynomial : 0U);
      all.at(byte) = sum;
    }
    return all;
  }();

  std::uint32_t state_ = 0xFFFFFFFFU;
};

// CRC-32C of TFRecord files (Castagnoli; RFC 3720, B.4): of `123456789` 0xE3069283.
using Crc32c = Crc<0x82F63B78U>;

// CRC-32 of W&B's files (ISO-HDLC, as zlib has it): of `123456789` 0xCBF43926.
using Crc32 = Crc<0xEDB88320U>;

}  // namespace gate::extract
