#include "gate/base/cut.h"

#include <algorithm>
#include <utility>

namespace gate {

Cut Cut::bounded(Duration limit, std::string words) const {
  Cut tighter = *this;
  const SteadyClock::time_point end = SteadyClock::now() + limit;
  if (end < deadline) {
    tighter.deadline = end;
    tighter.bound = std::move(words);
  }
  return tighter;
}

Cut Cut::stopped(std::function<std::string()> by) const {
  Cut both = *this;
  both.stop = [first = stop, second = std::move(by)] {
    const std::string why = first ? first() : "";
    return why.empty() && second ? second() : why;
  };
  return both;
}

std::string Cut::why(std::string_view what) const {
  if (const std::string stopped = stop ? stop() : ""; !stopped.empty())
    return std::string(what) + ": " + stopped;
  return SteadyClock::now() >= deadline ? std::string(what) + " within " + bound : "";
}

Duration Cut::next_look() const {
  constexpr Duration usual{50};
  if (deadline == SteadyClock::time_point::max()) return usual;
  return std::clamp(-since(deadline), Duration{1}, usual);
}

}  // namespace gate
