#include "places/launch/cuts.h"

#include <algorithm>
#include <string>

namespace gate::app {

Cut until_hurry(const LaunchContext& context, const PlannedCase& planned) {
  return {.stop = [&stops = context.stops, name = planned.spec->name] {
    return std::string(stops.must_hurry(name) ? "interrupted" : "");
  }};
}

Cut cut_behind(const LaunchContext& context, const PlannedCase& planned, const launch::Limits& limits,
               Duration taken) {
  constexpr Duration least{2000};
  const bool has_deadline = limits.rest && *limits.rest < limits.timeout;
  const Duration rest = (has_deadline ? *limits.rest : limits.timeout) - taken;
  return until_hurry(context, planned)
      .bounded(std::max(rest, least), has_deadline ? "--deadline " + to_string(limits.deadline)
                                                   : "timeout " + to_string(limits.timeout));
}

}  // namespace gate::app
