// When a certain failure ends a run: at once, never, or where enough time would be saved.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "gate/config/policy.h"
#include "gate/model/outcome.h"

namespace gate::app {

struct StepClock {
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::chrono::milliseconds since_first{};  // from the first step's line to the last one's
};

// Return the time that the rest of the run is expected to take: steps left times the mean time of a step so
// far; nothing where no second step has been seen or the length is unknown.
std::optional<std::chrono::milliseconds> expected_rest(const StepClock& clock,
                                                       std::optional<std::int64_t> last_step);

// Tell whether a certain failure ends the run now. `auto` stops only where more than two minutes are saved:
// the rest of a run is evidence.
bool stops_now(config::EarlyStop setting, std::optional<std::chrono::milliseconds> rest);

// Return the device time that an early stop saved: the expected rest of the run times its devices, one for a
// run on the host alone. Nothing where the run was not stopped early or its rest was not known.
std::optional<Duration> device_time_saved(const Outcome& outcome, int devices);

}  // namespace gate::app
