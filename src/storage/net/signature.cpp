#include "gate/net/signature.h"

#include <nettle/hmac.h>

#include <array>
#include <cstdint>

#include "gate/base/base64.h"

namespace gate::net {

namespace {

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

}  // namespace

std::string signature(std::string_view key, std::string_view message) {
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key.size(), bytes_of(key));
  hmac_sha256_update(&context, message.size(), bytes_of(message));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  hmac_sha256_digest(&context, digest.size(), digest.data());
  return base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace gate::net
