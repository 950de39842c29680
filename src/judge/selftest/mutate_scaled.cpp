// Faults as they happen: a step far off, and all values a little. A rule that allows as much is not wrong, so
// what it does not notice is no mutant.
#include "judge/selftest/mutations.h"
#include "judge/series/boundary.h"

namespace gate::judge {

namespace {

using Side = Bound::Side;

// Return the value that is printed for `to`, where `from` is printed.
std::optional<Decimal> printed(const MutationContext& scene, const Number& from, const Number& to) {
  const bool up = compare(to, from) > 0;
  const Interval between = up ? Interval{from, to} : Interval{to, from};
  return on_limit({between}, from, up ? Side::upper : Side::lower, scene.quantum);
}

Number scaled(const Number& value, Side side) {
  return side == Side::lower ? times(value, {1, -1}) : times(value, {10, 0});
}

Number four_percent_off(const Number& value, Side side) {
  const Number part = times(magnitude(value), {4, -2});
  return side == Side::lower ? minus(value, part) : plus(value, part);
}

void put(Values& values, const MutationContext& scene, std::int64_t at, const Number& from,
         const Number& to) {
  if (compare(from, number(Decimal{})) == 0) return;
  if (const std::optional<Decimal> value = printed(scene, from, to)) values[at] = *value;
}

void keep_noticed(Mutants& mutants, const MutationContext& scene) {
  std::erase_if(mutants.list, [&](const Mutant& mutant) { return !is_noticed(scene, mutant); });
}

}  // namespace

Mutants tenfold(const MutationContext& scene) {
  Mutants mutants{{}, "the value is 0, or the rule allows as much at one step"};
  for (const Place place : {Place::last, Place::middle}) {
    const std::int64_t number = number_at(scene.yardstick.window, place);
    const Number& value = scene.line.find(number)->value;
    Values values;
    put(values, scene, number, value, scaled(value, scene.bad_sides().front()));
    add_values(mutants, scene, values);
  }
  keep_noticed(mutants, scene);
  return mutants;
}

Mutants four_percent(const MutationContext& scene) {
  Mutants mutants{{}, "every value is 0, or the rule allows 4 %"};
  for (const Side side : scene.bad_sides()) {
    Values values;
    for (const Point& point : scene.line.points())
      put(values, scene, point.number, point.value, four_percent_off(point.value, side));
    add_values(mutants, scene, values);
  }
  keep_noticed(mutants, scene);
  return mutants;
}

}  // namespace gate::judge
