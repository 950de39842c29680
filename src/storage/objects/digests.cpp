#include "objects/digests.h"

#include <nettle/hmac.h>
#include <nettle/md5.h>

#include <cstdint>

namespace gate::objects {

namespace {

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

std::uint8_t* bytes_of(std::string& text) { return reinterpret_cast<std::uint8_t*>(text.data()); }

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view message) {
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, key.size(), bytes_of(key));
  hmac_sha256_update(&context, message.size(), bytes_of(message));
  std::string digest(SHA256_DIGEST_SIZE, '\0');
  hmac_sha256_digest(&context, digest.size(), bytes_of(digest));
  return digest;
}

std::string hmac_sha1(std::string_view key, std::string_view message) {
  hmac_sha1_ctx context;
  hmac_sha1_set_key(&context, key.size(), bytes_of(key));
  hmac_sha1_update(&context, message.size(), bytes_of(message));
  std::string digest(SHA1_DIGEST_SIZE, '\0');
  hmac_sha1_digest(&context, digest.size(), bytes_of(digest));
  return digest;
}

std::string md5(std::string_view content) {
  RunningMd5 sum;
  sum.add(content);
  return sum.take();
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += {digits[byte / 16], digits[byte % 16]};
  }
  return out;
}

struct RunningMd5::State {
  md5_ctx context;
};

RunningMd5::RunningMd5() : state_(std::make_unique<State>()) { md5_init(&state_->context); }
RunningMd5::~RunningMd5() = default;

void RunningMd5::add(std::string_view bytes) { md5_update(&state_->context, bytes.size(), bytes_of(bytes)); }

std::string RunningMd5::take() {
  std::string digest(MD5_DIGEST_SIZE, '\0');
  md5_digest(&state_->context, digest.size(), bytes_of(digest));
  return digest;
}

}  // namespace gate::objects
