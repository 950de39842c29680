// Golden files whose values stand in lists, and torchtitan's lines.
#include <cstddef>
#include <cstdint>

#include "golden_round_trip.h"
#include "targets.h"

int golden_lists_fuzz(const std::uint8_t* data, std::size_t size) {
  gate::fuzz::golden_round_trip({reinterpret_cast<const char*>(data), size});
  return 0;
}
