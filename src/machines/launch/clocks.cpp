#include "launch/clocks.h"

#include <algorithm>

namespace gate::launch {

namespace {
constexpr int gaps_allowed = 5;
}

Clocks::Clocks(const Limits& limits, StepsExpected steps, Duration launched)
    : limits_(limits), steps_(steps), last_(launched) {}

void Clocks::hear(const Pulse& pulse, Duration at) {
  if (pulse.restarted) {
    longest_gap_ = {};
    samples_ = 0;
    complete_ = false;
  }
  if (pulse.sample) note_samples(pulse.samples, at);
  complete_ |= pulse.complete;
}

void Clocks::note_samples(int count, Duration at) {
  if (samples_ > 0) longest_gap_ = std::max(longest_gap_, at - last_);
  last_ = at;
  samples_ += count;
}

std::optional<Outcome> Clocks::expired(Duration at) const {
  if (limits_.rest && at + limits_.spent >= *limits_.rest) return PastDeadline{limits_.deadline};
  if (at + limits_.spent >= limits_.timeout) return TimedOut{limits_.timeout};
  if (steps_ == StepsExpected::no) return {};
  const Silence silence = allowed();
  if (at - last_ < silence.limit) return {};
  return Hung{at - last_, silence.limit, silence.during};
}

Clocks::Silence Clocks::allowed() const {
  if (samples_ < 2) return {limits_.startup, "startup"};
  if (complete_) return {limits_.startup, "shutdown"};
  return {std::max(limits_.hang, gaps_allowed * longest_gap_), "training"};
}

}  // namespace gate::launch
