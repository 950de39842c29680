#include "app/run/early_stop.h"

#include <algorithm>

namespace gate::app {

std::optional<std::chrono::milliseconds> expected_rest(const StepClock& clock,
                                                       std::optional<std::int64_t> last_step) {
  const std::int64_t done = clock.last_step - clock.first_step;
  if (done <= 0 || !last_step || *last_step <= clock.last_step) return std::nullopt;
  return clock.since_first * (*last_step - clock.last_step) / done;
}

bool stops_now(config::EarlyStop setting, std::optional<std::chrono::milliseconds> rest) {
  switch (setting) {
    case config::EarlyStop::on:
      return true;
    case config::EarlyStop::off:
      return false;
    case config::EarlyStop::automatic:
      return rest && *rest > std::chrono::minutes(2);
  }
  return false;
}

std::optional<Duration> device_time_saved(const Outcome& outcome, int devices) {
  const StoppedEarly* stopped = std::get_if<StoppedEarly>(&outcome);
  if (stopped == nullptr || !stopped->rest) return std::nullopt;
  return *stopped->rest * std::max(devices, 1);
}

}  // namespace gate::app
