#include <algorithm>

#include "gate/model/grammar.h"

namespace gate {

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

// Return the tolerance with `and` in the place of each `or`.
Tolerance joined(const Tolerance& tolerance) {
  Tolerance all{{{}}};
  for (const std::vector<Bound>& all_of : tolerance.any_of)
    all.any_of[0].insert(all.any_of[0].end(), all_of.begin(), all_of.end());
  return all;
}

std::string quoted_tolerance(const Tolerance& tolerance) { return '"' + to_string(tolerance) + '"'; }

// Return what is wrong; "": nothing.
std::string wrong_direction(const Tolerance& tolerance, const Metric& metric) {
  const bool above = bounded(tolerance, bounds_above), below = bounded(tolerance, bounds_below);
  if (metric.better == Better::higher)
    return below ? "" : "of " + metric.name + " higher is better, and nothing stops it from falling";
  if (metric.better == Better::lower)
    return above ? "" : "of " + metric.name + " lower is better, and nothing stops it from rising";
  if (!needs_baseline(tolerance) || (above && below)) return "";
  return metric.name + " has no better side, and only one is bounded";
}

// Return the words that offer the nearest tolerance that is right; "" where there is none.
std::string offered(const Tolerance& tolerance, const Metric& metric) {
  const Side side = metric.better == Better::higher  ? Side::lower
                    : metric.better == Better::lower ? Side::upper
                                                     : Side::both;
  const Tolerance all = joined(tolerance);
  for (const Tolerance& near : {all, turned(tolerance, side), turned(all, side)})
    if (wrong_direction(near, metric).empty()) return "; did you mean " + quoted_tolerance(near) + "?";
  return "";
}

}  // namespace

Status check_direction(const Tolerance& tolerance, const Metric& metric) {
  const std::string wrong = wrong_direction(tolerance, metric);
  if (wrong.empty()) return {};
  return fail("tolerance " + quoted_tolerance(tolerance) + ": " + wrong + offered(tolerance, metric) +
              (metric.better == Better::none
                   ? " (or say better = \"higher\" or \"lower\" in [metrics." + metric.name + "])"
                   : ""));
}

}  // namespace gate
