#include "judge/selftest/mutation_context.h"

#include <algorithm>

#include "judge/rules/paired_values.h"
#include "judge/rules/run_coverage.h"

namespace gate::judge {

namespace {

constexpr std::int64_t made_up_length = 10;  // steps, where nothing says how many

// Keep the variant that the run is nearest to.
void keep_nearest(MutationContext& context) {
  for (const ReferenceVariant& variant : context.reference.variants) {
    ReferenceWindow one = context.reference;
    one.variants = {variant};
    if (compare(context.target, one, std::span(&context.series, 1)).failed(context.rule())) continue;
    context.reference = std::move(one);
    return;
  }
}

// Return a value of the interval, whose ends are constants.
Decimal constant_in(const Interval& interval) {
  const Decimal low = interval.low ? interval.low->sum : Decimal{};
  const Decimal high = interval.high ? interval.high->sum : Decimal{};
  if (interval.low && !interval.low_open) return low;
  if (interval.high && !interval.high_open) return high;
  if (!interval.high) return {low.coefficient + 1, low.exponent};
  if (!interval.low) return {high.coefficient - 1, high.exponent};
  const std::optional<Decimal> both = add(low, high);
  return (both ? multiply(*both, {5, -1}) : both).value_or(low);
}

// Return a series of a value that the target's constants accept.
Series made_up(const RuleTarget& target, std::int64_t length) {
  const Metric& metric = target.metric;
  Series series(metric.name, std::nullopt, metric.unit, metric.numbered);
  const Decimal value = constant_in(limits_of(target.rule->tolerance, std::nullopt).front());
  for (std::int64_t number = 1; number <= length; ++number)
    series.append({number, {ValueKind::finite, value}, value.to_string(), 0, 0});
  return series;
}

bool same_values(const Series& a, const Series& b) {
  if (a.numbered() != b.numbered()) return false;
  const auto same = [](const Sample& x, const Sample& y) {
    return x.number == y.number && x.value == y.value;
  };
  return std::equal(a.samples().begin(), a.samples().end(), b.samples().begin(), b.samples().end(), same);
}

// Return the tolerance of one value: all on its limits make a mean that is on its own.
Tolerance error_as_share(const Tolerance& tolerance) {
  const Decimal& percent = tolerance.any_of.front().front().amount;
  return {{{Bound{Bound::Kind::relative, Bound::Side::both, {percent.coefficient, percent.exponent - 2}}}}};
}

}  // namespace

Intervals MutationContext::limits_at(std::int64_t number) const {
  const Point* baseline = reference.variants.front().series.find(number);
  return limits_of(is_error() ? error_as_share(rule().tolerance) : rule().tolerance,
                   baseline != nullptr ? std::optional(baseline->value) : std::nullopt);
}

Intervals MutationContext::limits() const {
  return limits_of(rule().tolerance, reference.variants.front().reduced);
}

std::vector<Bound::Side> MutationContext::bad_sides() const {
  if (target.metric.better == Better::higher) return {Bound::Side::lower};
  if (target.metric.better == Better::lower) return {Bound::Side::upper};
  const Bound::Side side = side_of(rule().tolerance);
  if (!needs_baseline(rule().tolerance) && side != Bound::Side::both) return {side};
  return {Bound::Side::upper, Bound::Side::lower};
}

MutationContext make_context(const GuardedCase& guard, const RuleTarget& target, const Extraction& run) {
  const std::vector<const Series*> series = series_of(target, run);
  MutationContext context{guard, target, run, {}, numeric_series_of(series, target.rule->rank), 0};
  context.reference = target.open() ? open_reference_window(target, series) : reference_window_of(target);
  context.quantum = std::min(finest_exponent(series), finest_exponent(baseline_series(target)));
  keep_nearest(context);
  return context;
}

Extraction run_of(const GuardedCase& guard, const CheckPlan& plan, std::size_t index) {
  Extraction run;
  for (const ReferenceSeries& reference : guard.reference.series)
    run.series.push_back(reference.runs[std::min(index, reference.runs.size() - 1)]);
  for (const RuleTarget& target : plan.targets)
    if (target.open() && std::ranges::count(run.series, target.metric.name, &Series::metric) == 0)
      run.series.push_back(made_up(target, guard.reference.last_step.value_or(made_up_length)));
  run.bytes = run.lines = 1;
  return run;
}

bool belongs(const Series& series, const RuleTarget& target) {
  const auto& ranks = target.ranks;
  return series.metric() == target.metric.name &&
         (target.open() || std::ranges::count(ranks, series.rank()) > 0);
}

Series edited(const Series& series, const Edit& edit) {
  Series out(series.metric(), series.rank(), series.unit(), series.numbered());
  for (const Sample& sample : series.samples())
    if (std::optional<Sample> next = edit(series, sample)) out.append(*next);
  return out;
}

Extraction edited(const MutationContext& context, const Edit& edit) {
  Extraction run = context.run;
  for (Series& series : run.series)
    if (belongs(series, context.target)) series = edited(series, edit);
  return run;
}

Extraction with_values(const MutationContext& context, const ChangedValues& values) {
  return edited(context, [&](const Series&, const Sample& old) -> std::optional<Sample> {
    const auto it = values.find(old.number);
    if (it == values.end()) return old;
    return Sample{old.number, {ValueKind::finite, it->second}, it->second.to_string(), old.file, old.line};
  });
}

Judgement ask_judge(const GuardedCase& guard, const Judge& judge, const Extraction& run,
                    const Reference& reference) {
  return judge({.rules = guard.rules,
                .metrics = guard.metrics,
                .reference = reference,
                .run = run,
                .outcome = Outcome(Exited{0}),
                .platform = guard.platform,
                .steps = std::nullopt,
                .today = "",
                .profile = guard.profile});
}

GoodRun good_run(const GuardedCase& guard, const CheckPlan& plan, const Judge& judge) {
  std::size_t count = 1;
  for (const ReferenceSeries& series : guard.reference.series) count = std::max(count, series.runs.size());
  std::optional<GoodRun> first;
  for (std::size_t index = 0; index < count; ++index) {
    Extraction run = run_of(guard, plan, index);
    Judgement judgement = ask_judge(guard, judge, run, guard.reference);
    if (judgement.verdict == Verdict::passed) return {std::move(run), std::move(judgement)};
    if (!first) first = GoodRun{std::move(run), std::move(judgement)};
  }
  return std::move(*first);
}

bool tells_attempts(const GuardedCase& guard, const Extraction& run) {
  const auto goes_on = [](const Series& series) { return series.size() > 1; };
  if (!guard.replay || std::ranges::none_of(run.series, goes_on)) return false;
  const Extraction back = guard.replay(std::span(&run, 1));
  return std::ranges::all_of(run.series, [&](const Series& series) {
    const Series* again = find_series(back.series, series.metric(), series.rank());
    return again != nullptr && same_values(series, *again);
  });
}

const Check* find_check(const Judgement& judgement, const RuleTarget& target) {
  const bool one = target.ranks.size() == 1;
  const auto it = std::ranges::find_if(judgement.checks, [&](const Check& check) {
    return check.rule == target.rule->name && (!one || check.rank == target.ranks.front());
  });
  return it == judgement.checks.end() ? nullptr : &*it;
}

}  // namespace gate::judge
