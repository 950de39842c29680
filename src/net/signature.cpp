#include "gate/net/signature.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace gate::net {

namespace {

constexpr std::size_t digest_size = 32;
constexpr std::size_t text_size = (digest_size + 2) / 3 * 4;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

std::string signature(std::string_view key, std::string_view message) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  const std::string_view no_null = key.empty() ? std::string_view("") : key;
  HMAC(EVP_sha256(), no_null.data(), static_cast<int>(no_null.size()), bytes_of(message), message.size(),
       digest.data(), &size);
  std::array<unsigned char, text_size + 1> text{};
  const int length = EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(size));
  return {text.begin(), text.begin() + length};
}

}  // namespace gate::net
