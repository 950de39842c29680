// Values on their limits, beyond them, and at the wrong steps; and faults as they happen.
#include <algorithm>
#include <cmath>

#include "gate/words/values.h"
#include "judge/rules/paired_values.h"
#include "judge/rules/run_coverage.h"
#include "judge/selftest/mutations.h"
#include "judge/series/limits.h"
#include "judge/series/relative_errors.h"

namespace gate::judge {

namespace {

bool is_each(const MutationContext& context) { return context.rule().reduce == Reduce::each; }

// What a value is held against, and a value that it accepts.
struct HeldValue {
  Intervals limits;
  Number good;
};

HeldValue held_at(const MutationContext& context, std::int64_t number) {
  return {context.limits_at(number), context.series.find(number)->value};
}

std::optional<HeldValue> held_reduced(const MutationContext& context) {
  const auto good = reduced_value(context.rule(), context.reference, context.series);
  return good ? std::optional(HeldValue{context.limits(), *good}) : std::nullopt;
}

// A mean is within [low, high] exactly while one of its values is within these, with all others as they are:
// the value takes what the others leave of n times the limit.
HeldValue held_in_mean(const MutationContext& context, const HeldValue& mean, std::int64_t number) {
  const std::size_t count =
      context.by_time() ? context.series.points().size() : context.reference.window.size();
  const Decimal n{static_cast<std::int64_t>(count), 0};
  const Number value = context.series.find(number)->value;
  const Number others = minus(times(mean.good, n), value);
  HeldValue held{{}, value};
  for (const Interval& interval : merged(mean.limits)) {
    Interval of_value = interval;
    if (interval.low) of_value.low = minus(times(*interval.low, n), others);
    if (interval.high) of_value.high = minus(times(*interval.high, n), others);
    held.limits.push_back(of_value);
  }
  return held;
}

// A mean relative error is within its limit exactly while one value's is within what the others leave of n
// times the limit.
HeldValue held_in_errors(const MutationContext& context, std::int64_t number) {
  const NumericSeries& baseline = context.reference.variants.front().series;
  const std::vector<std::int64_t>& window = context.reference.window;
  RelativeErrors others;
  for (const std::int64_t other : window)
    if (other != number) others.add(context.series.find(other)->value, baseline.find(other)->value);
  const Number all = times(judge::number(context.rule().tolerance.any_of.front().front().amount),
                           {static_cast<std::int64_t>(window.size()), 0});
  const Number left = minus(all, others.sum()), own = baseline.find(number)->value;
  const Number room = left.exact ? times(magnitude(own), {left.sum.coefficient, left.sum.exponent - 2})
                                 : judge::number(std::fabs(to_double(own)) * left.approximate / 100);
  return {{{minus(own, room), plus(own, room)}}, context.series.find(number)->value};
}

// Return what the value at one number alone is held against; nothing where it does not decide.
std::optional<HeldValue> held_alone(const MutationContext& context, std::int64_t number, Bound::Side side) {
  if (is_each(context)) return held_at(context, number);
  if (context.is_error()) return held_in_errors(context, number);
  const std::optional<HeldValue> reduced = held_reduced(context);
  if (!reduced) return std::nullopt;
  switch (context.rule().reduce) {
    case Reduce::mean:
      return held_in_mean(context, *reduced, number);
    case Reduce::max:
      return side == Bound::Side::upper ? reduced : std::nullopt;
    case Reduce::min:
      return side == Bound::Side::lower ? reduced : std::nullopt;
    case Reduce::last:
      return number == context.reference.window.back() ? reduced : std::nullopt;
    default:
      return std::nullopt;
  }
}

// A value far off stands for what is beyond if the rule bounds nothing on the metric's bad side.
Decimal far_off(const Number& good, Bound::Side side, std::int32_t quantum) {
  const Number far = plus(times(magnitude(good), {10, 0}), number(Decimal{1, 0}));
  const Intervals limits{{number(Decimal{}), far}};
  const Decimal value =
      beyond_limit(limits, number(Decimal{}), Bound::Side::upper, quantum).value_or(Decimal{1, 18});
  return side == Bound::Side::upper ? value : -value;
}

// Speeds and memory are never below 0: where a limit is, the lowest that can be printed stands for what is
// beyond.
bool can_be_printed(const MutationContext& context, const Decimal& value) {
  const MetricKind kind = context.target.metric.kind;
  return !value.is_negative() || (kind != MetricKind::speed && kind != MetricKind::memory);
}

// Return nothing where the metric has no bad side, and the rule bounds nothing on this one.
std::optional<Decimal> value_beyond(const MutationContext& context, const HeldValue& held, Bound::Side side) {
  const std::optional<Decimal> value = beyond_limit(held.limits, held.good, side, context.quantum);
  if (!value && context.target.metric.better == Better::none && !needs_baseline(context.rule().tolerance))
    return std::nullopt;
  const Decimal outside = value ? *value : far_off(held.good, side, context.quantum);
  return can_be_printed(context, outside) ? outside : Decimal{0, context.quantum};
}

Sentence change_text(const MutationContext& context, const ChangedValues& values) {
  const auto& [number, value] = *values.begin();
  const Sentence first = words::number_text(number, context.reference.numbered) + colon +
                         as_is(text(context.series.find(number)->value) + " -> " + value.to_string());
  if (values.size() == 1) return first;
  return say({"{}, and {} more like it", "{}，以及另外 {} 处"}, first, values.size() - 1);
}

// Return the value that `make` finds for each number of the window.
template <typename Make>
ChangedValues over_window(const MutationContext& context, Make make) {
  ChangedValues values;
  const bool side_by_side = is_side_by_side(context.rule().reduce);
  const std::optional<HeldValue> reduced = side_by_side ? std::nullopt : held_reduced(context);
  for (const std::int64_t number : context.reference.window) {
    if (!side_by_side && !reduced) break;
    const std::optional<Decimal> value = make(reduced ? *reduced : held_at(context, number));
    if (value) values[number] = *value;
  }
  return values;
}

// Return as many numbers from the place on as a rule must see out of bounds: all of a window at most.
std::vector<std::int64_t> run_of_numbers(const MutationContext& context, MutatedStep place) {
  const std::vector<std::int64_t>& window = context.reference.window;
  const std::size_t wanted = is_each(context) ? static_cast<std::size_t>(context.rule().max_misses) + 1 : 1;
  const std::size_t count = std::min(wanted, window.size());
  const auto begin = std::ranges::find(window, number_at(window, place));
  const auto start = std::min(begin, window.end() - static_cast<std::ptrdiff_t>(count));
  return {start, start + static_cast<std::ptrdiff_t>(count)};
}

// Set the value at that number to what is printed for `to`, where `from` is printed; not where it is 0.
void assign(ChangedValues& values, const MutationContext& context, std::int64_t at, const Number& from,
            const Number& to) {
  if (compare(from, number(Decimal{})) == 0) return;
  const bool up = compare(to, from) > 0;
  const Interval between = up ? Interval{from, to} : Interval{to, from};
  const Bound::Side side = up ? Bound::Side::upper : Bound::Side::lower;
  if (const auto value = on_limit({between}, from, side, context.quantum)) values[at] = *value;
}

void keep_noticed(Mutants& mutants, const MutationContext& context) {
  std::erase_if(mutants.list, [&](const Mutant& mutant) { return !is_noticed(context, mutant); });
}

}  // namespace

void add_values(Mutants& mutants, const MutationContext& context, const ChangedValues& values) {
  if (!values.empty())
    mutants.list.push_back({with_values(context, values), change_text(context, values), std::nullopt});
}

bool is_noticed(const MutationContext& context, const Mutant& mutant) {
  const NumericSeries run = numeric_series_of(series_of(context.target, mutant.run), context.rule().rank);
  return compare(context.target, context.reference, std::span(&run, 1)).failed(context.rule());
}

Mutants on_the_limit(const MutationContext& context) {
  Mutants mutants{{},
                  say({"the rule bounds nothing on the metric's bad side", "规则在指标坏的一侧没有限制"})};
  for (const Bound::Side side : context.bad_sides())
    add_values(mutants, context, over_window(context, [&](const HeldValue& held) {
                 return on_limit(held.limits, held.good, side, context.quantum);
               }));
  return mutants;
}

Mutants window_beyond(const MutationContext& context) {
  Mutants mutants;
  for (const Bound::Side side : context.bad_sides())
    add_values(mutants, context, over_window(context, [&](const HeldValue& held) {
                 return value_beyond(context, held, side);
               }));
  return mutants;
}

Mutants one_beyond(const MutationContext& context, MutatedStep place) {
  Mutants mutants{{},
                  say({"one step alone does not decide a {}", "单独一步不能决定{}"},
                      words::reduce_text(context.rule().reduce))};
  const std::vector<std::int64_t> numbers = run_of_numbers(context, place);
  for (const Bound::Side side : context.bad_sides()) {
    ChangedValues values;
    for (const std::int64_t number : numbers) {
      const auto held = held_alone(context, number, side);
      if (!held) continue;
      // Nothing brings a mean out of bounds at one number alone if no value that can be printed does.
      const bool is_mean = context.rule().reduce == Reduce::mean || context.is_error();
      const auto outside = beyond_limit(held->limits, held->good, side, context.quantum);
      const auto beyond = is_mean ? outside : value_beyond(context, *held, side);
      if (beyond && can_be_printed(context, *beyond)) values[number] = *beyond;
    }
    add_values(mutants, context, values);
  }
  return mutants;
}

Mutants shifted(const MutationContext& context) {
  Mutant mutant{edited(context,
                       [](const Series& series, const Sample& sample) -> std::optional<Sample> {
                         const SampleTape& all = series.samples();
                         const auto next = std::upper_bound(
                             all.begin(), all.end(), sample.number,
                             [](std::int64_t number, const Sample& s) { return number < s.number; });
                         Sample moved = next == all.end() ? sample : *next;
                         moved.number = sample.number;
                         return moved;
                       }),
                say({"every value moved by one step", "每个值移动一步"}), std::nullopt};
  if (!is_noticed(context, mutant))
    return {{}, say({"neighbours differ by less than the rule allows", "相邻值之差小于规则允许的"})};
  return {{std::move(mutant)}, ""};
}

// Faults as they happen: a step far off, and all values a little. A rule that allows as much is not wrong, so
// what it does not notice is no mutant.

Mutants tenfold(const MutationContext& context) {
  Mutants mutants{
      {}, say({"the value is 0, or the rule allows as much at one step", "值为 0，或规则允许一步有这么大"})};
  for (const MutatedStep place : {MutatedStep::last, MutatedStep::middle}) {
    const std::int64_t number = number_at(context.reference.window, place);
    const Number& value = context.series.find(number)->value;
    ChangedValues values;
    const bool down = context.bad_sides().front() == Bound::Side::lower;
    assign(values, context, number, value, down ? times(value, {1, -1}) : times(value, {10, 0}));
    add_values(mutants, context, values);
  }
  keep_noticed(mutants, context);
  return mutants;
}

Mutants four_percent(const MutationContext& context) {
  Mutants mutants{{}, say({"every value is 0, or the rule allows 4 %", "每个值都是 0，或规则允许 4 %"})};
  for (const Bound::Side side : context.bad_sides()) {
    ChangedValues values;
    for (const auto& [number, value, file, line] : context.series.points()) {
      const Number part = times(magnitude(value), {4, -2});
      assign(values, context, number, value,
             side == Bound::Side::lower ? minus(value, part) : plus(value, part));
    }
    add_values(mutants, context, values);
  }
  keep_noticed(mutants, context);
  return mutants;
}

}  // namespace gate::judge
