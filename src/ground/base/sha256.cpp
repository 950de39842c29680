#include "gate/base/sha256.h"

#include <nettle/base16.h>

#include <array>
#include <cstdint>

namespace gate {

void Sha256::add(std::string_view piece) {
  sha256_update(&context_, piece.size(), reinterpret_cast<const std::uint8_t*>(piece.data()));
}

std::string Sha256::hex() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context_, digest.size(), digest.data());
  std::string hex(BASE16_ENCODE_LENGTH(digest.size()), '\0');
  base16_encode_update(hex.data(), digest.size(), digest.data());
  return hex;
}

}  // namespace gate
