// How long to let small pieces of output gather, so that a script that prints a line every millisecond costs
// twenty wake-ups a second and not a thousand, while a line after a silence is read at once.
//
// The generic cell rate algorithm (ITU-T I.371): a piece is due 50 ms after the one before it, and may come
// up to 500 ms early, which is ten at once.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "gate/base/time.h"

namespace gate::launch {

class Gathering {
 public:
  using Time = SteadyClock::time_point;

  // Note that so many bytes were read. A large piece ends all waiting: more is behind it.
  void note(std::size_t bytes, Time now) {
    due_ = bytes > small ? Time{} : std::min(std::max(due_, now), now + early) + interval;
  }

  // Return how long the next piece should wait; 0 where it should not. Never above 50 ms.
  Duration rest(Time now) const {
    return std::max(Duration{}, std::chrono::ceil<Duration>(due_ - early - now));
  }

 private:
  static constexpr Duration interval{50};
  static constexpr Duration early{500};
  static constexpr std::size_t small = std::size_t{16} << 10;

  Time due_{};
};

}  // namespace gate::launch
