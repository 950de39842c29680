#include "score/hashed.h"

#include <random>

namespace gate::score {

std::uint64_t hash_seed() {
  static const std::uint64_t seed = [] {
    std::random_device device;
    return static_cast<std::uint64_t>(device()) << 32 | device();
  }();
  return seed;
}

}  // namespace gate::score
