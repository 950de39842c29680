// What ends before its time: a run whose failure is certain, and a suite whose cases only die.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "gate/base/sentence.h"
#include "gate/config/policy.h"
#include "gate/model/reports/report.h"
#include "gate/model/runs/outcome.h"

namespace gate::app {

struct StepClock {
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::chrono::milliseconds since_first{};  // from the first step's line to the last one's
};

// Return the time that the rest of the run is expected to take: steps left times the mean time of a step so
// far; nothing if no second step has been seen or the length is unknown.
std::optional<std::chrono::milliseconds> expected_rest(const StepClock& clock,
                                                       std::optional<std::int64_t> last_step);

// Tell whether a certain failure ends the run now: at once, never, or (`auto`) only if more than two minutes
// are saved: the rest of a run is evidence.
bool stops_now(config::EarlyStop setting, std::optional<std::chrono::milliseconds> rest);

// Return the device time that an early stop saved: the expected rest of the run times its devices, one for a
// run on the host alone. Nothing if the run was not stopped early or its rest was not known.
std::optional<Duration> device_time_saved(const Outcome& outcome, int devices);

// Three cases that died alike before their first step: the host or the checkout is broken, and the rest of
// the suite would only die in the same way.
class EarlyDeathBreaker {
 public:
  // Take note of a case that has ended. What it died of is its cause, else its last words.
  void on_report(const CaseReport& report);

  // Return why no further case should start; nothing while there is no reason.
  std::optional<Sentence> why_stop() const;

 private:
  std::optional<Sentence> death_;  // of the last case; none if it did not die early
  int count_ = 0;
};

}  // namespace gate::app
