// A start that is waited for, as in the queue of a scheduler.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/launch/runner.h"

namespace gate::launch {

struct Waiting {
  enum class Kind {
    pending,
    ready,
    refused,  // it will never start
  };
  Kind kind = Kind::ready;
  Sentence why = {};     // pending: for what, as far as that is known: `Slurm job 7 is pending: Resources`
  Sentence still = {};   // likewise, where nobody waits any longer: `Slurm job 7 was pending still`
  Outcome outcome = {};  // refused: how it ended
  std::vector<Sentence> remarks = {};
};

// Take turns until one says that it can start; the listener hears for what it waits, and "" when that is
// over. Returns nothing then, with the time that it took off Limits::rest; else how it ended: refused, ended
// by the listener, or when the rest was up.
std::optional<Ending> wait_for_start(const std::function<Waiting()>& turn, Limits& limits,
                                     const Listener& listener);

}  // namespace gate::launch
