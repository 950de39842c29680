// Golden files whose values stand under their steps.
#include <cstddef>
#include <cstdint>

#include "golden_round_trip.h"
#include "targets.h"

int golden_steps_fuzz(const std::uint8_t* data, std::size_t size) {
  gate::fuzz::golden_round_trip({reinterpret_cast<const char*>(data), size});
  return 0;
}
