// The time limits of a run, as a function of when its samples came.
//
//   launch    sample 1     sample 2 ... sample n (last step)     end
//   |- startup -|- startup -|-- hang --|-- hang --|--- startup ---|
//   |----------------------------- timeout -----------------------|
//
// Step 1 takes 8 to 45 times a steady step, so `startup` bounds each silence up to the second sample, and the
// one after the last step, where checkpoints are written. In between a silence is bounded by `hang`, but
// never by less than 5 times the longest gap between samples of this attempt: logs with an interval of 100
// steps exist.
#pragma once

#include <optional>

#include "gate/launch/runner.h"

namespace gate::launch {

enum class StepsExpected { yes, no };  // no: only the timeout applies

// Times are durations since the run began.
class Clocks {
 public:
  // `launched`: when the script was started; before it the setup ran.
  Clocks(const Limits& limits, StepsExpected steps, Duration launched = {});

  // Take note of output that was there at that time.
  void hear(const Pulse& pulse, Duration at);

  // So much of the next silence is no silence: the script is paused.
  void leave_out(Duration pause) { last_ += pause; }

  // Return PastDeadline, TimedOut or Hung where a limit is reached at that time.
  std::optional<Outcome> expired(Duration at) const;

  // Tell whether the last step has been printed.
  bool complete() const { return complete_; }

 private:
  struct Silence {
    Duration limit;
    const char* during;
  };
  Silence allowed() const;
  void note_samples(int count, Duration at);

  Limits limits_;
  StepsExpected steps_;
  Duration last_;  // sample, or the launch
  Duration longest_gap_{};
  int samples_ = 0;  // of this attempt
  bool complete_ = false;
};

}  // namespace gate::launch
