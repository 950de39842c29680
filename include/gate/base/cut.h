// A cut ends the wait for an answer: at a deadline, or when somebody stops it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "gate/base/time.h"

namespace gate {

// Handed down to whatever asks somebody who may never answer. A default one ends nothing.
struct Cut {
  SteadyClock::time_point deadline = SteadyClock::time_point::max();
  std::string bound = {};  // what the deadline is, for people: `10s`, `timeout 5m`

  // Returns why nobody waits any more; "" while somebody does. Asked again and again, by any thread that
  // waits: it returns at once.
  std::function<std::string()> stop = {};

  // Return the same that ends, too, when so much time is up from now.
  Cut bounded(Duration limit) const { return bounded(limit, to_string(limit)); }
  Cut bounded(Duration limit, std::string words) const;

  // Return the same that ends, too, when the other one's `stop` says so.
  Cut stopped(std::function<std::string()> by) const;

  // Tell whether it is over, and why: of what did not happen (`npu1 did not answer`), `npu1 did not answer
  // within 10s`, or `npu1 did not answer: interrupted by SIGTERM`. "" while it is not over.
  std::string why(std::string_view what) const;
  bool is_over() const { return !why("").empty(); }

  // Return how long to wait before it is asked again: never long, since nobody wakes who waits (decision 70).
  Duration next_look() const;
};

}  // namespace gate
