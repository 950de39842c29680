// Values that are no numbers, and values that are not there.
#include <algorithm>
#include <array>

#include "gate/words/values.h"
#include "judge/rules/run_coverage.h"
#include "judge/selftest/mutations.h"

namespace gate::judge {

namespace {

std::int64_t last_number(const MutationContext& context) { return context.series.points().back().number; }

Mutants only(Extraction run, std::string what) {
  Mutants mutants;
  mutants.list.push_back({std::move(run), std::move(what), std::nullopt});
  return mutants;
}

// --- values that are no numbers ---------------------------------------------------------------------

Sample non_finite_sample(std::int64_t number, ValueKind kind) {
  const char* const word = kind == ValueKind::nan ? "nan" : kind == ValueKind::left_out ? "" : "inf";
  return {number, {kind, {}}, word, 0, 0};
}

Extraction with_sample(const MutationContext& context, const Sample& sample) {
  Extraction run = edited(context, [&](const Series&, const Sample& old) {
    return std::optional(old.number == sample.number ? sample : old);
  });
  for (Series& series : run.series)  // a number that the run does not have comes at its end
    if (belongs(series, context.target) && sample.number > last_number(context)) series.append(sample);
  return run;
}

// Return a number out of the window: the first one behind it; else the last one before it; else a further
// one.
std::int64_t outside(const MutationContext& context) {
  const std::vector<std::int64_t>& window = context.reference.window;
  std::optional<std::int64_t> before;
  for (const Point& point : context.series.points()) {
    if (point.number > window.back()) return point.number;
    if (point.number < window.front()) before = point.number;
  }
  return before.value_or(last_number(context) + 1);
}

// --- what is not there ------------------------------------------------------------------------------

// Return the numbers that every run must have, within the window or out of it.
std::vector<std::int64_t> demanded_steps(const MutationContext& context, bool inside) {
  std::vector<std::int64_t> numbers;
  for (const std::int64_t number : context.reference.required) {
    const auto demands = [&](const ReferenceSeries* r) { return is_demanded(*r, number); };
    const auto& references = context.target.references;
    if (context.reference.in_window(number) == inside && std::ranges::any_of(references, demands))
      numbers.push_back(number);
  }
  return numbers;
}

std::string why_none(const MutationContext& context, bool inside) {
  if (context.by_time()) return "samples by time have no steps";
  if (context.target.open()) return "only constants: nothing says which steps there must be";
  return inside ? "the reference is a list that repeats itself" : "the window is the whole series";
}

Extraction without_series(const MutationContext& context, const std::function<bool(const Series&)>& drop) {
  Extraction run = context.run;
  std::erase_if(run.series, drop);
  return run;
}

}  // namespace

Mutants non_finite_inside(const MutationContext& context, ValueKind kind) {
  const std::int64_t number = number_at(context.reference.window, MutatedStep::middle);
  const Sample sample = non_finite_sample(number, kind);
  return only(with_sample(context, sample), words::number_text(number, context.reference.numbered) + ": " +
                                                words::value_text(sample.value));
}

Mutants non_finite_outside(const MutationContext& context, ValueKind kind) {
  if (context.by_time()) return {{}, "all samples by time are judged together"};
  const Sample sample = non_finite_sample(outside(context), kind);
  return only(with_sample(context, sample), words::number_text(sample.number, context.reference.numbered) +
                                                ": " + words::value_text(sample.value));
}

Mutants inf_on_both_sides(const MutationContext& context) {
  if (context.target.open()) return {{}, "only constants: there is no other side"};
  Mutants mutants = non_finite_inside(context, ValueKind::positive_infinity);
  const std::int64_t number = number_at(context.reference.window, MutatedStep::middle);
  const Edit to_infinity = [&](const Series&, const Sample& old) {
    return std::optional(old.number == number ? non_finite_sample(number, ValueKind::positive_infinity)
                                              : old);
  };
  Reference reference = context.guard.reference;
  for (ReferenceSeries& of_rank : reference.series)
    for (Series& series : of_rank.runs)
      if (belongs(series, context.target)) series = edited(series, to_infinity);
  mutants.list.front().reference = std::move(reference);
  mutants.list.front().what += " on both sides";
  return mutants;
}

Mutants missing(const MutationContext& context, bool inside) {
  const std::vector<std::int64_t> numbers =
      context.by_time() ? std::vector<std::int64_t>{} : demanded_steps(context, inside);
  if (numbers.empty()) return {{}, why_none(context, inside)};
  const std::int64_t number = number_at(numbers, MutatedStep::middle);
  Extraction run = edited(context, [&](const Series&, const Sample& old) {
    return old.number == number ? std::nullopt : std::optional(old);
  });
  return only(std::move(run), words::number_text(number, context.reference.numbered) + " missing");
}

Mutants missing_and_one_more(const MutationContext& context) {
  Mutants mutants = missing(context, true);
  for (Mutant& mutant : mutants.list) {
    for (Series& series : mutant.run.series) {
      if (!belongs(series, context.target) || series.empty()) continue;
      Sample further = series.samples().back();
      further.number = last_number(context) + 1;
      series.append(further);
    }
    mutant.what += ", one more at the end";
  }
  return mutants;
}

Mutants missing_rank(const MutationContext& context) {
  const std::optional<int> rank = context.target.ranks.front();
  const std::string& metric = context.target.metric.name;
  const auto of_metric = std::ranges::count(context.run.series, metric, &Series::metric);
  if (!rank || of_metric < 2 || context.target.open()) return {{}, "there is one series only"};
  return only(
      without_series(context, [&](const Series& s) { return s.metric() == metric && s.rank() == rank; }),
      words::label(metric, rank) + " not in the run");
}

Mutants truncated(const MutationContext& context) {
  if (context.by_time() || context.target.open()) return {{}, why_none(context, true)};
  const std::vector<std::int64_t> inside = demanded_steps(context, true),
                                  outside = demanded_steps(context, false);
  const std::int64_t last =
      std::max(inside.empty() ? 0 : inside.back(), outside.empty() ? 0 : outside.back());
  const std::int64_t half = number_at(context.reference.required, MutatedStep::middle);
  const std::int64_t cut = std::min(half, last);
  if (context.reference.required.front() >= cut) return {{}, "there is one value only"};
  return only(edited(context,
                     [&](const Series&, const Sample& old) {
                       return old.number < cut ? std::optional(old) : std::nullopt;
                     }),
              "cut off before " + words::number_text(cut, context.reference.numbered));
}

Mutants empty_series(const MutationContext& context) {
  return only(edited(context, [](const Series&, const Sample&) { return std::optional<Sample>(); }),
              "a series without values");
}

Mutants absent_metric(const MutationContext& context) {
  return only(
      without_series(context, [&](const Series& s) { return s.metric() == context.target.metric.name; }),
      context.target.metric.name + " not in the run");
}

Mutants two_attempts(const MutationContext& context, Last last) {
  const Mutants damaged = window_beyond(context);
  if (damaged.list.empty()) return damaged;
  if (!context.tells_attempts) return {{}, "nothing in a log would tell its attempts apart"};
  const Mutant& bad = damaged.list.front();
  std::array<Extraction, 2> attempts{context.run, bad.run};
  if (last == Last::good) std::swap(attempts[0], attempts[1]);
  const std::string what = (last == Last::bad ? "last attempt: " : "first attempt: ") + bad.what;
  return {{{context.guard.replay(attempts), what, std::nullopt}}, ""};
}

}  // namespace gate::judge
