#include <algorithm>

#include "gate/judge/grammar.h"

namespace gate::judge {

namespace {

using BoundKind = Bound::Kind;
using Side = Bound::Side;

bool bounds_above(const Bound& bound) {
  if (bound.kind == BoundKind::absolute || bound.kind == BoundKind::relative)
    return bound.side != Side::lower;
  return bound.kind != BoundKind::at_least;
}

bool bounds_below(const Bound& bound) {
  if (bound.kind == BoundKind::absolute || bound.kind == BoundKind::relative)
    return bound.side != Side::upper;
  return bound.kind != BoundKind::at_most;
}

// Tell whether the tolerance stops every value on that side: each alternative has a bound that does.
bool bounded(const Tolerance& tolerance, bool (*bounds)(const Bound&)) {
  return std::all_of(tolerance.any_of.begin(), tolerance.any_of.end(), [&](const std::vector<Bound>& all_of) {
    return std::any_of(all_of.begin(), all_of.end(), bounds);
  });
}

// Return the tolerance with the bounds of one side laid on the other or on both.
Tolerance turned(Tolerance tolerance, Side side) {
  for (std::vector<Bound>& all_of : tolerance.any_of)
    for (Bound& bound : all_of) {
      if (bound.kind == BoundKind::absolute || bound.kind == BoundKind::relative) bound.side = side;
      if (bound.kind == BoundKind::at_least && side == Side::upper) bound.kind = BoundKind::at_most;
      if (bound.kind == BoundKind::at_most && side == Side::lower) bound.kind = BoundKind::at_least;
    }
  return tolerance;
}

std::string quoted_tolerance(const Tolerance& tolerance) { return '"' + to_string(tolerance) + '"'; }

}  // namespace

Status check_direction(const Tolerance& tolerance, const Metric& metric) {
  const bool above = bounded(tolerance, bounds_above), below = bounded(tolerance, bounds_below);
  const std::string what = "tolerance " + quoted_tolerance(tolerance) + ": ";
  if (metric.better == Better::higher && !below)
    return fail(what + "of " + metric.name +
                " higher is better, and nothing stops it from falling; did you mean " +
                quoted_tolerance(turned(tolerance, Side::lower)) + "?");
  if (metric.better == Better::lower && !above)
    return fail(what + "of " + metric.name +
                " lower is better, and nothing stops it from rising; did you mean " +
                quoted_tolerance(turned(tolerance, Side::upper)) + "?");
  if (metric.better != Better::none || !needs_baseline(tolerance) || (above && below)) return {};
  return fail(what + metric.name + " has no better side, and only one is bounded; did you mean " +
              quoted_tolerance(turned(tolerance, Side::both)) +
              "? (or say better = \"higher\" or \"lower\" in [metrics." + metric.name + "])");
}

}  // namespace gate::judge
