// SHA-256 of what comes in pieces.
#pragma once

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace gate {

class Sha256 {
 public:
  Sha256() { sha256_init(&context_); }

  void add(std::string_view piece);

  // Return the 64 lower-case hexadecimal digits of all pieces, one behind the other; the next piece begins
  // anew.
  std::string hex();

 private:
  sha256_ctx context_{};
};

}  // namespace gate
