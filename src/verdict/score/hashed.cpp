#include "score/hashed.h"

namespace gate::score {

// Where the program was loaded to is another place each time.
std::uint64_t hash_seed() {
  static const char here = 0;
  return mix(reinterpret_cast<std::uintptr_t>(&here), hash_factor);
}

}  // namespace gate::score
