// The checksum of TFRecord files: CRC-32C (Castagnoli, reflected 0x82F63B78; RFC 3720, B.4).
#pragma once

#include <cstdint>
#include <string_view>

namespace gate::extract {

class Crc32c {
 public:
  // Take further bytes; cut anywhere.
  void add(std::string_view bytes);

  // Return the sum of all bytes so far: of `123456789` 0xE3069283, of none 0.
  std::uint32_t value() const { return ~state_; }

  // Return the sum as TFRecord stores it: rotated right by 15 bits, plus 0xA282EAD8, so that the sum of a
  // record that holds sums is no weaker.
  std::uint32_t masked() const;

 private:
  std::uint32_t state_ = 0xFFFFFFFFU;
};

// Return the masked sum of the bytes.
std::uint32_t masked_crc(std::string_view bytes);

}  // namespace gate::extract
