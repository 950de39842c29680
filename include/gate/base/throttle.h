// Work that grows with what there is, done as often as it costs next to nothing.
#pragma once

#include "gate/base/time.h"

namespace gate {

class Throttle {
 public:
  // Tell whether the work may be done now: it has taken at most a twentieth of the time then.
  bool is_due() const { return SteadyClock::now() >= next_; }

  // Do the work, due or not.
  template <typename Work>
  void run(const Work& work) {
    const auto start = SteadyClock::now();
    work();
    const auto end = SteadyClock::now();
    next_ = end + share * (end - start);
  }

 private:
  static constexpr int share = 20;

  SteadyClock::time_point next_{};
};

}  // namespace gate
