// Values on their limits, beyond them, and at the wrong steps.
#include <algorithm>

#include "gate/words/values.h"
#include "judge/rules/comparison.h"
#include "judge/rules/run_coverage.h"
#include "judge/selftest/mutations.h"
#include "judge/series/boundary.h"

namespace gate::judge {

namespace {

using Side = Bound::Side;

bool is_each(const MutationContext& scene) { return scene.rule().reduce == Reduce::each; }

// What a value is held against, and a value that it accepts.
struct HeldValue {
  Limits limits;
  Number good;
};

HeldValue held_at(const MutationContext& scene, std::int64_t number) {
  return {scene.limits_at(number), scene.line.find(number)->value};
}

std::optional<HeldValue> held_reduced(const MutationContext& scene) {
  const auto good = reduced_value(scene.rule(), scene.yardstick, scene.line);
  return good ? std::optional(HeldValue{scene.limits(), *good}) : std::nullopt;
}

// A mean is within [low, high] exactly while one of its values is within these, with all others as they are:
// the value takes what the others leave of n times the limit.
HeldValue held_in_mean(const MutationContext& scene, const HeldValue& mean, std::int64_t number) {
  const std::size_t count = scene.by_time() ? scene.line.points().size() : scene.yardstick.window.size();
  const Decimal n{static_cast<std::int64_t>(count), 0};
  const Number value = scene.line.find(number)->value;
  const Number others = minus(times(mean.good, n), value);
  HeldValue held{{}, value};
  for (const Interval& interval : merged(mean.limits)) {
    Interval of_value;
    if (interval.low) of_value.low = minus(times(*interval.low, n), others);
    if (interval.high) of_value.high = minus(times(*interval.high, n), others);
    held.limits.push_back(of_value);
  }
  return held;
}

// Return what the value at one number alone is held against; nothing where it does not decide.
std::optional<HeldValue> held_alone(const MutationContext& scene, std::int64_t number, Side side) {
  if (is_each(scene)) return held_at(scene, number);
  const std::optional<HeldValue> reduced = held_reduced(scene);
  if (!reduced) return std::nullopt;
  switch (scene.rule().reduce) {
    case Reduce::mean:
      return held_in_mean(scene, *reduced, number);
    case Reduce::max:
      return side == Side::upper ? reduced : std::nullopt;
    case Reduce::min:
      return side == Side::lower ? reduced : std::nullopt;
    case Reduce::last:
      return number == scene.yardstick.window.back() ? reduced : std::nullopt;
    default:
      return std::nullopt;
  }
}

// Where a rule bounds nothing on the bad side, what is far off stands for what is beyond.
Decimal far_off(const Number& good, Side side, std::int32_t quantum) {
  const Number far = plus(times(magnitude(good), {10, 0}), number(Decimal{1, 0}));
  const Limits limits{{number(Decimal{}), far}};
  const Decimal value =
      beyond_limit(limits, number(Decimal{}), Side::upper, quantum).value_or(Decimal{1, 18});
  return side == Side::upper ? value : -value;
}

// Speeds and memory are never below 0: where a limit is, the lowest that can be printed stands for what is
// beyond.
bool can_be_printed(const MutationContext& scene, const Decimal& value) {
  const MetricKind kind = scene.target.metric.kind;
  return !value.is_negative() || (kind != MetricKind::speed && kind != MetricKind::memory);
}

Decimal value_beyond(const MutationContext& scene, const HeldValue& held, Side side) {
  const auto value = beyond_limit(held.limits, held.good, side, scene.quantum);
  const Decimal outside = value ? *value : far_off(held.good, side, scene.quantum);
  return can_be_printed(scene, outside) ? outside : Decimal{0, scene.quantum};
}

// Return what brings a mean out of bounds at one number alone; nothing where no value that can be printed
// does.
std::optional<Decimal> beyond_alone(const MutationContext& scene, const HeldValue& held, Side side) {
  const auto value = beyond_limit(held.limits, held.good, side, scene.quantum);
  return value && can_be_printed(scene, *value) ? value : std::nullopt;
}

std::string change_text(const MutationContext& scene, const Values& values) {
  const auto& [number, value] = *values.begin();
  const std::string first = words::number_text(number, scene.yardstick.numbered) + ": " +
                            text(scene.line.find(number)->value) + " -> " + value.to_string();
  return first + (values.size() > 1 ? ", and " + std::to_string(values.size() - 1) + " more like it" : "");
}

// Return the value that `make` finds for each number of the window.
template <typename Make>
Values over_window(const MutationContext& scene, Make make) {
  Values values;
  const std::optional<HeldValue> reduced = is_each(scene) ? std::nullopt : held_reduced(scene);
  for (const std::int64_t number : scene.yardstick.window) {
    if (!is_each(scene) && !reduced) break;
    const std::optional<Decimal> value = make(reduced ? *reduced : held_at(scene, number));
    if (value) values[number] = *value;
  }
  return values;
}

// Return as many numbers from the place on as a rule must see out of bounds.
std::vector<std::int64_t> run_of_numbers(const MutationContext& scene, Place place) {
  const std::vector<std::int64_t>& window = scene.yardstick.window;
  const std::size_t count = is_each(scene) ? static_cast<std::size_t>(scene.rule().max_misses) + 1 : 1;
  if (window.size() < count) return {};
  const auto begin = std::find(window.begin(), window.end(), number_at(window, place));
  const auto start = std::min(begin, window.end() - static_cast<std::ptrdiff_t>(count));
  return {start, start + static_cast<std::ptrdiff_t>(count)};
}

Mutants some_beyond(const MutationContext& scene, Place place) {
  Mutants mutants{{}, "one step alone does not decide a " + std::string(to_string(scene.rule().reduce))};
  const std::vector<std::int64_t> numbers = run_of_numbers(scene, place);
  if (numbers.empty()) mutants.none = "the window holds no more than max_misses";
  for (const Side side : scene.bad_sides()) {
    Values values;
    for (const std::int64_t number : numbers) {
      const auto held = held_alone(scene, number, side);
      if (held && scene.rule().reduce != Reduce::mean) values[number] = value_beyond(scene, *held, side);
      if (held && scene.rule().reduce == Reduce::mean)
        if (const auto value = beyond_alone(scene, *held, side)) values[number] = *value;
    }
    add_values(mutants, scene, values);
  }
  return mutants;
}

}  // namespace

void add_values(Mutants& mutants, const MutationContext& scene, const Values& values) {
  if (!values.empty())
    mutants.list.push_back({with_values(scene, values), change_text(scene, values), std::nullopt});
}

bool is_noticed(const MutationContext& scene, const Mutant& mutant) {
  const NumericSeries line = line_of(series_of(scene.target, mutant.run), scene.rule().rank);
  return compare(scene.target, scene.yardstick, std::span(&line, 1)).failed(scene.rule());
}

Mutants on_the_limit(const MutationContext& scene) {
  Mutants mutants{{}, "the rule bounds nothing on the metric's bad side"};
  for (const Side side : scene.bad_sides())
    add_values(mutants, scene, over_window(scene, [&](const HeldValue& held) {
                 return on_limit(held.limits, held.good, side, scene.quantum);
               }));
  return mutants;
}

Mutants window_beyond(const MutationContext& scene) {
  Mutants mutants;
  for (const Side side : scene.bad_sides())
    add_values(mutants, scene, over_window(scene, [&](const HeldValue& held) {
                 return std::optional(value_beyond(scene, held, side));
               }));
  return mutants;
}

template <Place place>
Mutants one_beyond(const MutationContext& scene) {
  return some_beyond(scene, place);
}
template Mutants one_beyond<Place::first>(const MutationContext&);
template Mutants one_beyond<Place::middle>(const MutationContext&);
template Mutants one_beyond<Place::last>(const MutationContext&);

Mutants shifted(const MutationContext& scene) {
  Mutant mutant{edited(scene,
                       [](const Series& series, const Sample& sample) -> std::optional<Sample> {
                         const SampleTape& all = series.samples();
                         const auto next = std::upper_bound(
                             all.begin(), all.end(), sample.number,
                             [](std::int64_t number, const Sample& s) { return number < s.number; });
                         Sample moved = next == all.end() ? sample : *next;
                         moved.number = sample.number;
                         return moved;
                       }),
                "every value moved by one step", std::nullopt};
  if (!is_noticed(scene, mutant)) return {{}, "neighbours differ by less than the rule allows"};
  return {{std::move(mutant)}, ""};
}

}  // namespace gate::judge
