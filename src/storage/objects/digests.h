// Digests as bytes and as words.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace gate::objects {

std::string hmac_sha256(std::string_view key, std::string_view message);
std::string hmac_sha1(std::string_view key, std::string_view message);
std::string md5(std::string_view content);

// Return bytes as hexadecimal digits in small letters.
std::string hex(std::string_view bytes);

// The MD5 of content that comes in pieces.
class RunningMd5 {
 public:
  RunningMd5();
  ~RunningMd5();
  RunningMd5(const RunningMd5&) = delete;
  void add(std::string_view bytes);
  std::string take();  // and begin anew

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gate::objects
