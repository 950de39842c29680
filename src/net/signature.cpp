#include "gate/net/signature.h"

#include "gate/base/fs.h"

namespace gate::net {

namespace {

constexpr std::size_t hash_block = 64;

int digit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

// The digest as 32 bytes.
std::string sha256(std::string_view text) {
  const std::string hex = fs::sha256(text);
  std::string bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2)
    bytes += static_cast<char>(digit(hex[i]) * 16 + digit(hex[i + 1]));
  return bytes;
}

std::string padded(std::string key, char pad) {
  key.resize(hash_block);
  for (char& c : key) c = static_cast<char>(c ^ pad);
  return key;
}

unsigned byte_at(std::string_view bytes, std::size_t i) {
  return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const unsigned three = byte_at(bytes, i) << 16 | byte_at(bytes, i + 1) << 8 | byte_at(bytes, i + 2);
    for (int shift = 18; shift >= 0; shift -= 6) out += letters[three >> shift & 63];
  }
  const std::size_t missing = (3 - bytes.size() % 3) % 3;
  return out.replace(out.size() - missing, missing, missing, '=');
}

}  // namespace

std::string signature(std::string_view key, std::string_view message) {
  const std::string fitting = key.size() > hash_block ? sha256(key) : std::string(key);
  const std::string inner = sha256(padded(fitting, '\x36') + std::string(message));
  return base64(sha256(padded(fitting, '\x5c') + inner));
}

}  // namespace gate::net
