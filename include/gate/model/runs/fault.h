// What a case says is to be done to its script while it runs, to see whether the training recovers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gate/base/sentence.h"
#include "gate/base/time.h"

namespace gate {

enum class FaultAction : std::uint8_t {
  kill,       // KILL: no time for anything
  terminate,  // TERM: time to save a checkpoint
  pause,      // STOP, and CONT later
};

struct Fault {
  FaultAction action = FaultAction::kill;
  std::int64_t step = 0;                              // at which it is inflicted; 0: at a share of the run
  int percent = 0;                                    // of the run's last step
  std::optional<int> rank = std::nullopt;             // whose processes alone; none: the whole tree
  Duration pause = std::chrono::milliseconds(10000);  // between STOP and CONT
  bool may_begin_anew = false;  // the second start: at the first step again, and not behind a checkpoint
  bool operator==(const Fault&) const = default;

  // Return the step at which it is due in a run of so many steps; nothing where that is not known.
  std::optional<std::int64_t> due(std::optional<std::int64_t> last_step) const;
};

// Return the fault as a case says it: `kill@15 scratch`, `term@20% rank 1`, `pause@15 for 30s`.
std::string to_string(const Fault& fault);

// Return what was done, at a step: `paused for 30s at step 15, as fault = pause@15 for 30s says`.
Sentence done_text(const Fault& fault, const Sentence& step);

}  // namespace gate
